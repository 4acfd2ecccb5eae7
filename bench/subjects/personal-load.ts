import { readFileSync } from 'node:fs'
import { createSecureServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { HttpLines } from './http-line.ts'

/**
 * Both ends of the service in one process, so that one clock measures: it sends personal messages at a fixed rate,
 * whatever the answers do, and it is the FCM that their pushes come to. It is told what to do by its parent.
 */
export interface LoadSettings {
  tls: { key: string; certificate: string }
  /** One body a line. */
  bodies: string
}

export interface LoadOrder {
  url: string
  path: string
  perSecond: number
  seconds: number
  /** A message to a group that is sent meanwhile: its pushes are answered and not counted. */
  campaignId?: string | undefined
}

export interface LoadReport {
  sent: number
  accepted: number
  refused: string[]
  /** Pushes that had come when the last message was sent, and at the end. */
  arrivedInTime: number
  arrived: number
  /** From the moment a message was due to be sent, in ms. */
  answer: Percentiles
  arrival: Percentiles
}

export interface Percentiles {
  p50Ms: number
  p99Ms: number
  maxMs: number
}

interface Run {
  dueAt: Map<string, number>
  arrivedAt: Map<string, number>
  answerMs: number[]
  refused: string[]
  sent: number
  campaignId?: string | undefined
}

const patienceMs = 120_000
const tickMs = 1
const name = '{"name":"projects/bench/messages/0:1700000000000000%bench"}'
const idMark = '"messageId":"'
const idLength = 36

const { tls, bodies: file } = JSON.parse(process.argv[2] as string) as LoadSettings
const bodies = readFileSync(file, 'utf8').split('\n')
let nextBody = 0
let lines: HttpLines | undefined
let run = createRun()

const fcm = createSecureServer({
  key: tls.key,
  cert: tls.certificate,
  settings: { maxConcurrentStreams: 100 },
})
fcm.on('stream', (stream) => receive(stream))
fcm.listen(0, '127.0.0.1', () => process.send?.({ port: (fcm.address() as AddressInfo).port }))
process.on('message', async (order: LoadOrder) => process.send?.(await measure(order)))

function createRun(): Run {
  return { dueAt: new Map(), arrivedAt: new Map(), answerMs: [], refused: [], sent: 0 }
}

function receive(stream: ServerHttp2Stream): void {
  const at = performance.now()
  let text = ''
  stream.on('data', (chunk) => {
    text += chunk
  })
  stream.on('error', () => {})
  stream.on('end', () => {
    const start = text.indexOf(idMark) + idMark.length
    const id = text.slice(start, start + idLength)
    if (id !== run.campaignId && !run.arrivedAt.has(id)) run.arrivedAt.set(id, at)
    stream.respond({ ':status': 200, 'content-type': 'application/json' })
    stream.end(name)
  })
}

async function measure(order: LoadOrder): Promise<LoadReport> {
  run = { ...createRun(), campaignId: order.campaignId }
  const { url, path, perSecond, seconds } = order
  lines ??= new HttpLines(url)
  const sendTo = lines
  const startedAt = performance.now()
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(((performance.now() - startedAt) / 1000) * perSecond, perSecond * seconds)
      while (run.sent < due) send(path, sendTo, run, startedAt + (run.sent++ * 1000) / perSecond)
      if (run.sent < perSecond * seconds) return
      clearInterval(timer)
      resolve()
    }, tickMs)
  })
  const arrivedInTime = run.arrivedAt.size
  const patienceUntil = performance.now() + patienceMs
  const isOpen = () =>
    run.answerMs.length + run.refused.length < run.sent || run.arrivedAt.size < run.sent - run.refused.length
  while (isOpen() && performance.now() < patienceUntil) await new Promise((resolve) => setTimeout(resolve, 10))
  const arrivalMs = [...run.arrivedAt].flatMap(([id, at]) => at - (run.dueAt.get(id) ?? Number.NaN))
  return {
    sent: run.sent,
    accepted: run.answerMs.length,
    refused: run.refused.slice(0, 3),
    arrivedInTime,
    arrived: run.arrivedAt.size,
    answer: percentiles(run.answerMs),
    arrival: percentiles(arrivalMs.filter(Number.isFinite)),
  }
}

function send(path: string, lines: HttpLines, own: Run, dueAt: number): void {
  lines.post(path, bodies[nextBody++ % bodies.length] as string, (status, text) => {
    if (status !== 200) return void own.refused.push(`${status} ${text}`)
    own.answerMs.push(performance.now() - dueAt)
    own.dueAt.set((JSON.parse(text) as { id: string }).id, dueAt)
  })
}

function percentiles(values: number[]): Percentiles {
  const sorted = values.toSorted((left, right) => left - right)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
}
