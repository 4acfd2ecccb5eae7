import type { Context } from '@peyk/server/base/context.ts'
import { countSegment, type SegmentCount } from '@peyk/server/features/segments/count/count-segment.ts'
import type { RunningProcess } from '../measure/process.ts'
import type { PeykDatabase } from '../subjects/peyk.ts'
import { tellHistory } from './history.ts'
import { readFigure } from './read-figure.ts'
import { type Shape, shapes } from './shapes.ts'

/**
 * How often SQL is asked until it says the same before and after: time goes on, and with it what is "in the last 24 hours".
 * Where it never does, because millions leave by the second, the index has to say something between the two.
 */
const mostTries = 5

/** Each shape's count, users and funnel by the index are those of SQL, before and after each chapter (or the last), or the bench ends. */
export async function checkCounts(
  peyk: RunningProcess,
  database: PeykDatabase,
  { ctx, isEachChapter }: { ctx: Context; isEachChapter: boolean },
): Promise<{ compared: number; byIndex: number }> {
  const answered = () => readFigure(peyk, 'peyk_segment_counts_total{by="index"}')
  const before = await answered()
  let asked = 0
  let compared = 0
  const compareAll = async (when: string) => {
    for (const shape of shapes) {
      asked += await compare(shape, when)
      compared++
    }
  }
  await compareAll('at first')
  const chapters = tellHistory(peyk, database)
  for (const [index, { name, happen }] of chapters.entries()) {
    await happen()
    if (!isEachChapter && index < chapters.length - 1) continue
    await compareAll(`after ${name}`)
    console.log(`  after ${name}: all counts are those of SQL`)
  }
  return { compared, byIndex: ((await answered()) - before) / asked }

  async function compare(shape: Shape, when: string): Promise<number> {
    const bySql = async () => numbersOf(await countSegment(ctx, { segment: shape.segment }))
    let first = await bySql()
    for (let tries = 1; ; tries++) {
      const byIndex = numbersOf(await askWhole(peyk, database, shape))
      const second = await bySql()
      if (tries === mostTries || `${first}` === `${second}`) {
        if (areBetween(byIndex, first, second)) return tries
        throw new Error(`"${shape.name}" ${when}: the index says ${byIndex}, SQL ${first}, then ${second}.`)
      }
      first = second
    }
  }
}

function numbersOf({ count, users, funnel }: SegmentCount): number[] {
  return [count, users, ...funnel.map((step) => step.count)]
}

function areBetween(numbers: number[], first: number[], second: number[]): boolean {
  return numbers.every((number, index) => {
    const [one, other] = [first[index] as number, second[index] as number]
    return Math.min(one, other) <= number && number <= Math.max(one, other)
  })
}

async function askWhole(peyk: RunningProcess, { token }: PeykDatabase, { segment }: Shape): Promise<SegmentCount> {
  const response = await fetch(`${peyk.url}/api/segments/count`, {
    method: 'POST',
    headers: { 'X-Access-Token': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ segment }),
  })
  if (response.status !== 200) throw new Error(`Counting was refused: ${await response.text()}`)
  return (await response.json()) as SegmentCount
}
