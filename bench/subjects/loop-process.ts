import { readFileSync } from 'node:fs'
import type { LoopInput } from './loop.ts'

export function readInput<Input extends LoopInput>(): Input & { list: string[] } {
  const input = JSON.parse(process.argv[2] as string) as Input
  return { ...input, list: readFileSync(input.tokens, 'utf8').split('\n') }
}

/** Warms up, measures, and prints what `runLoop` reads. */
export async function measureLoop(input: LoopInput, send: (count: number) => Promise<void>): Promise<void> {
  await send(input.warmUp)
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  await send(input.count)
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  const rssMb = process.memoryUsage.rss() / 1024 / 1024
  process.stdout.write(JSON.stringify({ seconds, cpuMicros: user + system, rssMb }))
}
