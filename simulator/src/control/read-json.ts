import type { IncomingMessage } from 'node:http'
import { ControlError } from './control-error.ts'

const maxBodyBytes = 1024 * 1024

export type JsonObject = Record<string, unknown>

/** The body as an object; nothing sent is an empty one. */
export async function readJson(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) throw new ControlError(413, `Expected a body of at most ${maxBodyBytes} bytes.`)
    chunks.push(chunk)
  }
  if (bytes === 0) return {}
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch {
    throw new ControlError(400, 'Expected a JSON object as body, got something that is not JSON.')
  }
  if (!isObject(value)) throw new ControlError(400, `Expected a JSON object as body, got ${describe(value)}.`)
  return value
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return JSON.stringify(value).slice(0, 100)
}
