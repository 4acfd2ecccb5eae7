import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { type ParsedTemplate, parseTemplate, type Rendered, renderTemplate } from './template-engine.ts'

/** Runs in a process of its own, which is killed when it takes too long. */

export interface RenderTask {
  text: string
  scopes: readonly object[]
}

/** Processor time for one recipient, which a busy machine does not use up. Templates that are any use take a few milliseconds. */
const maxCpuMsEach = 500
const watchEveryMs = 50
const parsed = new LRUCache<string, ParsedTemplate>({ max: 100, memoMethod: (text) => parseTemplate(text) })
const answer = (message: Rendered | 'ready') => process.send?.(message)

/** Which recipient is being written for; 0: none. */
const current = new Int32Array(new SharedArrayBuffer(4))
let recipients = 0

process.on('disconnect', () => process.exit())
process.on('message', ({ text, scopes }: RenderTask) => {
  for (const scope of scopes) {
    recipients = (recipients % 1_000_000) + 1
    Atomics.store(current, 0, recipients)
    answer(renderTemplate(parsed.memo(text), scope))
  }
  Atomics.store(current, 0, 0)
})
startWatch()
answer('ready')

/** Ends this process with its parent, and when a template hangs, which this thread would not notice. */
function startWatch(): void {
  const watch = `
    const current = require('node:worker_threads').workerData
    let seen = 0
    let seenAtMs = 0
    setInterval(() => {
      const { user, system } = process.cpuUsage()
      const usedMs = (user + system) / 1_000
      const now = Atomics.load(current, 0)
      if (now !== seen) [seen, seenAtMs] = [now, usedMs]
      const isHanging = now !== 0 && usedMs - seenAtMs > ${maxCpuMsEach}
      if (isHanging || process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL')
    }, ${watchEveryMs})`
  const options = { eval: true, execArgv: [], workerData: current, resourceLimits: { maxOldGenerationSizeMb: 8 } }
  new Worker(watch, options).unref()
}
