import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

type Value = { stringValue?: string; intValue?: string; doubleValue?: number; boolValue?: boolean; arrayValue?: object }
type Attributes = { key: string; value: Value }[]

interface WrittenSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attributes
  links?: { traceId: string; spanId: string }[]
  status?: { code: number }
}

export interface ReceivedSpan extends Omit<WrittenSpan, 'attributes'> {
  attributes: Record<string, unknown>
  links: { traceId: string; spanId: string }[]
}

interface Export {
  resourceSpans: {
    resource: { attributes: Attributes }
    scopeSpans: { scope: { name: string }; spans: WrittenSpan[] }[]
  }[]
}

/** A collector on this machine that takes OTLP over HTTP and keeps what it is sent, until the tests of the file are over. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = []
  const texts: string[] = []
  const requests: { path: string; headers: Record<string, unknown> }[] = []
  const resources: Record<string, unknown>[] = []
  /** What the next requests are answered, before it takes everything again. */
  const answers: { status: number; headers?: Record<string, string>; body?: string }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    requests.push({ path: request.url ?? '', headers: request.headers })
    const answer = answers.shift() ?? { status: 200, body: '{}' }
    if (answer.status === 200) {
      texts.push(text)
      for (const { resource, scopeSpans } of (JSON.parse(text) as Export).resourceSpans) {
        resources.push(readAttributes(resource.attributes))
        spans.push(...scopeSpans.flatMap((scope) => scope.spans.map(readSpan)))
      }
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  afterAll(close)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, spans, texts, requests, resources, answers, close }
}

function readSpan({ attributes, ...span }: WrittenSpan): ReceivedSpan {
  return { links: [], ...span, attributes: readAttributes(attributes) }
}

function readAttributes(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)]))
}

function readValue({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Value): unknown {
  return (
    stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? doubleValue ?? boolValue ?? arrayValue
  )
}
