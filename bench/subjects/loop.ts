import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeTemporaryFolder } from '../measure/cluster.ts'
import type { Throughput } from '../measure/throughput.ts'

const run = promisify(execFile)

/** What a process that sends pushes in a loop and ends is told. */
export interface LoopInput {
  origin: string
  ca: string
  /** One token a line. */
  tokens: string
  count: number
  /** So many first, which do not count: code is compiled and connections are there. */
  warmUp: number
}

interface LoopOutput {
  seconds: number
  cpuMicros: number
  rssMb: number
}

export async function writeTokens(tokens: string[]): Promise<string> {
  const file = join(await makeTemporaryFolder(), 'tokens')
  await writeFile(file, tokens.join('\n'))
  return file
}

/** Runs one of the loops beside this file to its end. A push that is not accepted ends it with an error. */
export async function runLoop(script: string, input: LoopInput): Promise<Throughput> {
  const args = [join(import.meta.dirname, script), JSON.stringify(input)]
  const { stdout } = await run(process.execPath, args)
  const { seconds, cpuMicros, rssMb } = JSON.parse(stdout) as LoopOutput
  return { perSecond: input.count / seconds, cpuMicros: cpuMicros / input.count, rssMb }
}
