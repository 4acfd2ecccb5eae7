import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Login } from '../mqtt-client.ts'
import { IdleClient } from './idle-client.ts'
import type { ConnectOrder, IdleOrder, IdleReports } from './idle-clients.ts'

/** Many clients that only stay connected, in one process. It is told what to do by its parent. */
const pollMs = 5
/** Each promises to say something within this time, and pings well before. */
const keepaliveSeconds = 300
const pingAfterMs = 240_000
const lookEveryMs = 1_000
const pingsPerStep = 100
const answerMs = 60_000

const clients: IdleClient[] = []
const refused: string[] = []
let connected = 0
let lost = 0

const events = {
  onConnected: () => void connected++,
  onClose: (client: IdleClient, why: string) => {
    if (client.isConnected) lost++
    else refused.push(why)
    client.isConnected = false
  },
}

process.on('message', async (order: IdleOrder) => {
  try {
    process.send?.({ report: await obey(order) })
  } catch (error) {
    process.send?.({ fault: (error as Error).message })
  }
})
process.send?.({ report: undefined })

function obey(order: IdleOrder): Promise<IdleReports[keyof IdleReports]> | IdleReports[keyof IdleReports] {
  if (order.do === 'connect') return connectAll(order)
  if (order.do === 'look') return { connected: connected - lost, lost }
  return callAll()
}

/** So many at a time as it is told: the service lets them in at its own pace. */
async function connectAll(order: ConnectOrder): Promise<IdleReports['connect']> {
  const { file, from, to, port, atATime, perAddress, before } = order
  setInterval(pingSilent, lookEveryMs)
  const logins = readFileSync(file, 'utf8').split('\n').slice(from, to)
  for (const [index, line] of logins.entries()) {
    while (index - connected - refused.length >= atATime) await sleep(pollMs)
    const localAddress = `127.0.0.${2 + Math.floor((before + from + index) / perAddress)}`
    clients.push(new IdleClient({ port, localAddress, keepalive: keepaliveSeconds }, JSON.parse(line) as Login, events))
  }
  while (connected + refused.length < clients.length) await sleep(pollMs)
  return { connected, refused: refused.length, why: [...new Set(refused)].slice(0, 3) }
}

/**
 * Each by its own clock. With a share of them in every second, a machine that let them in within minutes, or was late
 * with its timers, had thousands silent for longer than they had promised.
 */
function pingSilent(): void {
  const nowMs = performance.now()
  for (const client of clients) if (client.isConnected && nowMs - client.spokeAtMs > pingAfterMs) client.ping()
}

/** Every one of them pings; those that are answered are there at both ends. */
async function callAll(): Promise<IdleReports['call']> {
  const called = clients.filter(({ isConnected }) => isConnected)
  for (const [index, client] of called.entries()) {
    client.ping()
    if (index % pingsPerStep === 0) await sleep(pollMs)
  }
  const patienceUntil = performance.now() + answerMs
  while (called.some(({ isAnswerDue }) => isAnswerDue) && performance.now() < patienceUntil) await sleep(pollMs)
  return { answered: called.filter(({ isAnswerDue }) => !isAnswerDue).length }
}
