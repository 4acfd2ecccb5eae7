import { Agent } from 'node:https'
import { createRequire } from 'node:module'
import type { LoopInput } from './loop.ts'
import { measureLoop, readInput } from './loop-process.ts'

/** The peer, as a process: the web-push package, one push after the other as its manual shows it, connections kept open. */
export interface WebPushInput extends LoopInput {
  payload: string
}

interface WebPush {
  generateVAPIDKeys(): { publicKey: string; privateKey: string }
  setVapidDetails(subject: string, publicKey: string, privateKey: string): void
  sendNotification(subscription: object, payload: string, options: object): Promise<{ statusCode: number }>
}

const webPush = createRequire(import.meta.url)('web-push') as WebPush
const input = readInput<WebPushInput>()
const { list, ca, payload } = input
const { publicKey, privateKey } = webPush.generateVAPIDKeys()
webPush.setVapidDetails('mailto:bench@example.com', publicKey, privateKey)
const agent = new Agent({ keepAlive: true, ca })
const subscriptions = list.map((text) => JSON.parse(text) as object)
let sent = 0

await measureLoop(input, async (count) => {
  for (const until = sent + count; sent < until; sent++) {
    await webPush.sendNotification(subscriptions[sent % list.length] as object, payload, { agent, TTL: 3600 })
  }
})
agent.destroy()
