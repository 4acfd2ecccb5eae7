import type { RunningProcess } from '../measure/process.ts'

/** A figure of /metrics; 0 where there is none. */
export async function readFigure(peyk: RunningProcess, name: string): Promise<number> {
  const text = await (await fetch(`${peyk.url}/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}
