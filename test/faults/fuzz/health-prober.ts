import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Asks for /health again and again in a process that does nothing else, so that no other work spoils what it measures.
 * Tells what it saw when it is sent a message.
 */
export interface Probed {
  asked: number
  slowestMs: number
  failures: string[]
}

const url = `${process.argv[2]}/health`
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const everyMs = 50
const giveUpMs = 30_000
const probed: Probed = { asked: 0, slowestMs: 0, failures: [] }

process.once('message', () => process.send?.(probed, () => process.exit()))
process.on('disconnect', () => process.exit())

for (;;) {
  const startedAtMs = performance.now()
  const status = await ask().catch((error) => String(error))
  probed.asked++
  probed.slowestMs = Math.max(probed.slowestMs, performance.now() - startedAtMs)
  if (status !== 200 && probed.failures.length < 10) probed.failures.push(String(status))
  await delay(everyMs)
}

function ask(): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, timeout: giveUpMs }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
      response.on('error', reject)
    })
    request.on('timeout', () => request.destroy(new Error('no answer')))
    request.on('error', reject)
  })
}
