import type { RunningProcess } from '../measure/process.ts'
import type { PeykDatabase } from '../subjects/peyk.ts'
import { askOverHttp } from './ask.ts'
import { readFigure } from './read-figure.ts'

const fillLimitMs = 3_600_000

/** Whoever counts has the index opened. Answers how long it took until it was filled. */
export async function fillIndex(peyk: RunningProcess, { token }: PeykDatabase): Promise<number> {
  const startedMs = performance.now()
  const ask = askOverHttp(peyk, token, {
    segment: { all: [{ name: 'launchCount', operator: 'greater_than', value: 0 }] },
  })
  await ask()
  while ((await readFigure(peyk, 'peyk_segment_index_installations')) === 0) {
    if (performance.now() - startedMs > fillLimitMs) throw new Error('The index was not filled.')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return (performance.now() - startedMs) / 1_000
}
