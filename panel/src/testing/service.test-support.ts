import type { AnswerOf, AnyEndpoint, BodyOf, Endpoint, LiveData, LiveTopic } from '@peyk/contract'
import { expect, onTestFinished, vi } from 'vitest'

const root = /^\/panel\/api(\/apps\/shop)?/

/** A request that a component made. */
export interface Asked<Body = unknown> {
  method: string
  /** Within the app or the panel, such as `/segments/count` or `/session`. */
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  body: Body
}

type Answer<E> = AnswerOf<E> | Response | ((asked: Asked<BodyOf<E>>) => AnswerOf<E> | Response | Promise<Response>)

const answers = new Map<string, Answer<Endpoint>>()
let requests: Asked[] = []
let unexpected: string[] = []
let streams: Stream[] = []

/** The network ends here: a test says what the service answers, in the shapes of the contract. */
export const service = {
  /** What the service answers from now on. Without an answer, a request fails its test. */
  answer<E extends Endpoint>(method: string, path: string, answer: Answer<E>): void {
    answers.set(`${method} ${path}`, answer as Answer<Endpoint>)
  },

  /** The requests of one kind, the first one first. */
  asked(method: string, path: string): Asked[] {
    return requests.filter((each) => each.method === method && each.path === path)
  },

  /** The body of the only request of one kind. */
  bodyOf(method: string, path: string): unknown {
    const found = service.asked(method, path)
    expect(found, `${method} ${path}`).toHaveLength(1)
    return found[0]?.body
  },

  /** Sends live news to whoever listens. */
  tell<Topic extends LiveTopic>(topic: Topic, data: LiveData[Topic]): void {
    for (const stream of streams) stream.dispatchEvent(new MessageEvent(topic, { data: JSON.stringify(data) }))
  },

  /** Which topics are listened to. */
  heard(): string[] {
    return streams.flatMap(({ url }) => new URL(url, 'http://panel').searchParams.get('topics')?.split(',') ?? [])
  },
}

/** The answer that the contract gives as an example; a test of the contract checks it. */
export function exampleOf<E extends AnyEndpoint>({ example }: E): AnswerOf<E> {
  return structuredClone(example.answer) as AnswerOf<E>
}

export function refusal(status: number, code: string, details?: object): Response {
  return Response.json({ error: { code, message: `Refused: ${code}.`, details } }, { status })
}

/** An answer that comes when the test says so. */
export function later(answer: unknown): { answer: () => Promise<Response>; come(): void } {
  const { promise, resolve } = Promise.withResolvers<Response>()
  onTestFinished(() => resolve(refusal(503, 'unavailable')))
  return { answer: () => promise, come: () => resolve(Response.json(answer)) }
}

async function respond(method: string, address: string, headers: object, body: unknown): Promise<Response> {
  const { pathname, searchParams } = new URL(address, 'http://panel')
  // Asked when an answer takes seconds, as on a busy machine.
  if (pathname === '/ready') return Response.json({})
  const path = pathname.replace(root, '')
  const asked = { method, path, query: Object.fromEntries(searchParams), headers: { ...headers }, body }
  requests.push(asked)
  const answer = answers.get(`${method} ${path}`)
  if (answer === undefined) {
    unexpected.push(`${method} ${path}`)
    return refusal(404, 'not-found')
  }
  const given = await (typeof answer === 'function' ? answer(asked as Asked<never>) : answer)
  return given instanceof Response ? given.clone() : Response.json(given)
}

async function fetchAnswer(address: string, { method = 'GET', headers = {}, body, signal }: RequestInit = {}) {
  const response = await respond(method, address, headers, body === undefined ? undefined : JSON.parse(String(body)))
  signal?.throwIfAborted()
  return response
}

/** As much of XMLHttpRequest as an upload needs. */
class Upload {
  upload: { onprogress?(event: object): void; onload?(): void } = {}
  status = 0
  responseText = ''
  onload?: () => void
  onabort?: () => void
  private asked: [string, string] | undefined
  private isAborted = false

  open(...asked: [string, string]): void {
    this.asked = asked
  }

  setRequestHeader(): void {}

  getResponseHeader(): null {
    return null
  }

  async send(body: unknown): Promise<void> {
    if (this.asked === undefined) throw new Error('not opened')
    this.upload.onprogress?.({ loaded: 1, total: 2 })
    const response = await respond(...this.asked, {}, body)
    this.responseText = await response.text()
    this.status = response.status
    if (!this.isAborted) this.onload?.()
  }

  abort(): void {
    this.isAborted = true
    this.onabort?.()
  }
}

class Stream extends EventTarget {
  static readonly CLOSED = 2
  readyState = 1
  readonly url: string

  constructor(url: string) {
    super()
    this.url = url
    streams.push(this)
  }

  close(): void {
    this.readyState = Stream.CLOSED
    streams = streams.filter((each) => each !== this)
  }
}

/** In place of the network, for all tests of a process. */
export function standInForNetwork(): void {
  vi.stubGlobal('fetch', fetchAnswer)
  vi.stubGlobal('XMLHttpRequest', Upload)
  vi.stubGlobal('EventSource', Stream)
}

/** After a test: none of its requests were without an answer. */
export function endTest(): void {
  const missing = unexpected
  answers.clear()
  requests = []
  unexpected = []
  expect(missing, 'requests without an answer').toEqual([])
}
