import { setTimeout as sleep } from 'node:timers/promises'
import { HttpLines } from '../subjects/http-line.ts'
import { percentilesOf } from './percentiles.ts'
import type { SteadyOrder, SteadyReport } from './steady.ts'

/** Requests at a fixed rate until it is told to stop; the answers are timed from the moment each request was due. */
let answers: number[] = []
let refused: string[] = []
let isRunning = false
let stopped: Promise<void> | undefined

process.on('message', async (order: SteadyOrder) => {
  if (order.do === 'start') {
    isRunning = true
    stopped = run(order)
    process.send?.({ report: undefined })
  } else if (order.do === 'look') {
    process.send?.({ report: takeReport() })
  } else {
    isRunning = false
    await stopped
    process.send?.({ report: takeReport() })
  }
})
process.send?.({ report: undefined })

function takeReport(): SteadyReport {
  const report = { count: answers.length, refused: refused.slice(0, 3), ...percentilesOf(answers) }
  answers = []
  refused = []
  return report
}

async function run({ url, path, bodies, perSecond }: Extract<SteadyOrder, { do: 'start' }>): Promise<void> {
  const lines = new HttpLines(url)
  const startedAt = performance.now()
  let open = 0
  for (let sent = 0; isRunning; sent++) {
    const due = startedAt + (sent * 1000) / perSecond
    const waitMs = due - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    open++
    lines.post(path, bodies[sent % bodies.length] as string, (status, text) => {
      open--
      if (status === 200) answers.push(performance.now() - due)
      else refused.push(`${status} ${text}`)
    })
  }
  while (open > 0) await sleep(1)
}
