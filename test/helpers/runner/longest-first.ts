import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Minutes each in `npm run test:all`: whichever began last would be waited for alone. */
const longest =
  /\/(panel-walk\.long|panel-numbers\.long|fuzz|processes-kill\.long|delivery-kill|schedule-kill\.long|pace-kill\.long|connected-only\.long|kill|release-paced\.long|half-million\.long)\.test\.ts$/

/** What starts services or browsers takes longest, and waits much of that time: it begins early, beside what computes. */
const long = /\/(test\/(faults|browser|e2e)|entry\/command|store\/embedded)\//

/** A worker goes on with files of its own project only: one project comes after the other, so that few workers start. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...Map.groupBy(sorted, ({ project }) => project).values()].flatMap((own) => {
      const of = Object.groupBy(own, rank)
      return [...(of.longest ?? []), ...interleave(of.long ?? [], of.short ?? [])]
    })
  }
}

function rank({ moduleId }: TestSpecification): 'longest' | 'long' | 'short' {
  if (longest.test(moduleId)) return 'longest'
  return long.test(moduleId) ? 'long' : 'short'
}

/** One of the first, then some of the rest. A third of the rest comes last, so that no worker is left with a long one. */
function interleave<T>(first: T[], rest: T[]): T[] {
  const share = Math.floor((rest.length * 2) / 3 / Math.max(1, first.length))
  const mixed = first.flatMap((one, index) => [one, ...rest.slice(index * share, (index + 1) * share)])
  return [...mixed, ...rest.slice(first.length * share)]
}
