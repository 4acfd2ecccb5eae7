import { setTimeout as sleep } from 'node:timers/promises'
import { HttpLines } from '../subjects/http-line.ts'
import type { CrowdOrder, CrowdReports, Gathering, PersonalOrder, SpreadOrder, Way } from './crowd.ts'
import { type Login, MqttClient } from './mqtt-client.ts'
import { percentilesOf } from './percentiles.ts'

/**
 * Many clients in one process, and whoever sends them messages, so that one clock measures. It is told what to do by
 * its parent.
 */
const patienceMs = 120_000
const pollMs = 2
/** So many come at a time when nobody is in a hurry. */
const gatheringWidth = 200
const idMark = '"id":"'
const idLength = 36

let gathering: Gathering | undefined
const clients = new Set<MqttClient>()
let refused: string[] = []
let isLeaving = false
let ready = 0
let received = 0
let payloadBytes = 0
let arrivals: Map<string, number> | undefined

const events = {
  onReady: () => void ready++,
  onRefused: (why: string) => void refused.push(why),
  onMessage: (_client: MqttClient, payload: Buffer) => {
    received++
    payloadBytes = payload.length
    if (arrivals) arrivals.set(idOf(payload), performance.now())
  },
  onClose: (client: MqttClient) => {
    if (clients.delete(client) && !isLeaving) refused.push('a connection was closed')
  },
}

process.on('message', async (order: CrowdOrder) => {
  try {
    process.send?.({ report: await obey(order) })
  } catch (error) {
    process.send?.({ fault: (error as Error).message })
  }
})
process.send?.({ report: undefined })

function obey(order: CrowdOrder): Promise<CrowdReports[keyof CrowdReports]> {
  if (order.do === 'gather') return gather(order.gathering, gatheringWidth)
  if (order.do === 'come-again') return comeAgain()
  if (order.do === 'spread') return spread(order)
  if (order.do === 'send-personal') return sendPersonal(order)
  return leave()
}

async function gather(asked: Gathering, width: number): Promise<{ ms: number }> {
  gathering = asked
  ready = 0
  refused = []
  const startedAt = performance.now()
  for (const [index, login] of asked.logins.entries()) {
    if (index >= width) await until(() => ready > index - width)
    open(asked, login)
  }
  await until(() => ready === asked.logins.length)
  return { ms: performance.now() - startedAt }
}

function open({ port, topic }: Gathering, login: Login): void {
  clients.add(new MqttClient(port, login, topic, events))
}

async function leave(): Promise<undefined> {
  isLeaving = true
  for (const client of clients) client.destroy()
  await until(() => clients.size === 0)
  isLeaving = false
}

/** All lines are cut, and all clients come back at the same moment. */
async function comeAgain(): Promise<{ ms: number }> {
  if (!gathering) throw new Error('There was nobody.')
  await leave()
  return gather({ ...gathering, topic: undefined }, Number.POSITIVE_INFINITY)
}

/** One message to all, and the next when all have it; two are on their way at a time. */
async function spread({ way, seconds, atATime }: SpreadOrder): Promise<CrowdReports['spread']> {
  const send = senderOf(way)
  const before = received
  const count = clients.size
  const startedAt = performance.now()
  let sent = 0
  while (performance.now() - startedAt < seconds * 1000) {
    send()
    sent++
    await until(() => received - before >= (sent - atATime + 1) * count)
  }
  await until(() => received - before >= sent * count)
  return { messages: sent, deliveries: received - before, ms: performance.now() - startedAt, payloadBytes }
}

function senderOf(way: Way): () => void {
  if (way.kind === 'publish') {
    const [publisher] = clients
    const payload = Buffer.alloc(way.payloadBytes, 'x')
    return () => publisher?.publish(way.topic, payload)
  }
  const lines = new HttpLines(way.url)
  return () =>
    lines.post(way.path, way.body, (status, text) => {
      if (status !== 200) refused.push(`${status} ${text}`)
    })
}

/** Single messages at a fixed rate, from the moment each was due until it came. */
async function sendPersonal(order: PersonalOrder): Promise<CrowdReports['send-personal']> {
  const { url, path, users, body, perSecond, seconds } = order
  const lines = new HttpLines(url)
  const dueAt = new Map<string, number>()
  const answerMs: number[] = []
  arrivals = new Map()
  const total = perSecond * seconds
  const startedAt = performance.now()
  for (let sent = 0; sent < total; sent++) {
    const due = startedAt + (sent * 1000) / perSecond
    await sleep(Math.max(0, due - performance.now()))
    const sentAt = performance.now()
    lines.post(path, JSON.stringify({ ...body, user: users[(sent * 7919) % users.length] }), (status, text) => {
      if (status !== 200) return void refused.push(`${status} ${text}`)
      answerMs.push(performance.now() - sentAt)
      dueAt.set((JSON.parse(text) as { id: string }).id, sentAt)
    })
  }
  const came = arrivals
  await until(() => answerMs.length === total && came.size >= total)
  arrivals = undefined
  const arrivalMs = [...dueAt].map(([id, at]) => (came.get(id) ?? Number.NaN) - at)
  return { sent: total, answer: percentilesOf(answerMs), arrival: percentilesOf(arrivalMs) }
}

function idOf(payload: Buffer): string {
  const start = payload.indexOf(idMark) + idMark.length
  return payload.toString('latin1', start, start + idLength)
}

async function until(isSo: () => boolean): Promise<void> {
  const patienceUntil = performance.now() + patienceMs
  while (!isSo()) {
    if (refused.length > 0) throw new Error(`${refused.length} were refused: ${refused.slice(0, 3).join(', ')}`)
    if (performance.now() > patienceUntil)
      throw new Error(`It took too long: ${ready} are there, ${received} messages came.`)
    await sleep(pollMs)
  }
}
