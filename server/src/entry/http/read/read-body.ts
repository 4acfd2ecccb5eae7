import { isUtf8 } from 'node:buffer'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import { checkText } from './check-text.ts'
import { parseForm } from './forms/parse-form.ts'

export function addBodyParsers(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(/^application\/(?:[\w.-]+\+)?json/, { parseAs: 'buffer' }, (request, body, done) => {
    finish(request, body as Buffer, parseJson, done)
  })
}

/** Parses forms, only for the API: existing back ends send them. */
export function addFormParser(scope: FastifyInstance): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (request, body, done) => {
    finish(request, body as Buffer, parseFormOrJson, done)
  })
}

type Done = (error: Error | null, body?: unknown) => void

function finish(request: FastifyRequest, body: Buffer, parse: (text: string) => unknown, done: Done): void {
  const encoding = request.headers['content-encoding']
  if (encoding === undefined || encoding === 'identity') {
    answer(() => readText(request, body, parse), done)
  } else if (encoding.toLowerCase() === 'gzip') {
    gunzip(body, { maxOutputLength: request.routeOptions.bodyLimit }, (error, unpacked) => {
      if (error) done(readGzipError(error))
      else answer(() => readText(request, unpacked, parse), done)
    })
  } else {
    const message = `Content-Encoding "${encoding.slice(0, 80)}" is not taken: send identity or gzip.`
    done(new RequestError('unsupported-type', message))
  }
}

function answer(read: () => unknown, done: Done): void {
  try {
    done(null, read())
  } catch (error) {
    done(error as Error)
  }
}

function readGzipError(error: NodeJS.ErrnoException): RequestError {
  if (error.code === 'ERR_BUFFER_TOO_LARGE')
    return new RequestError('too-large', 'The body is too large when it is unpacked.')
  return new RequestError('invalid-request', 'The body is not gzip, or only a part of it.')
}

function readText(request: FastifyRequest, body: Buffer, parse: (text: string) => unknown): unknown {
  if (body.length === 0) return undefined
  if (!isUtf8(body)) throw new RequestError('invalid-text', 'The body is not valid UTF-8.')
  const startsWithMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
  const text = body.toString('utf8', startsWithMark ? 3 : 0)
  const value = parse(text)
  if (body.length > limits.bodyBytes && !isList(value)) {
    throw new RequestError('too-large', `The body is ${body.length} bytes; at most ${limits.bodyBytes} are allowed.`)
  }
  request.bodyText = text
  return value
}

/** Only lists of messages or events may be longer than one megabyte. */
function isList(value: unknown): boolean {
  return Array.isArray(value) || Array.isArray((value as { eventData?: unknown } | undefined)?.eventData)
}

function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new RequestError('invalid-json', `The body is not JSON: ${jsonProblem(error)}`)
  }
  checkText(text, value)
  return value
}

/** What V8 says, without the piece of the body that it repeats. */
function jsonProblem(error: unknown): string {
  const message = (error as Error).message
    .replace(/, (?:\.\.\.)?"[\s\S]*$/, '')
    .replace(/^Unexpected token [\s\S]*? is not valid JSON$/, 'unexpected character')
  return `${message.slice(0, 120)}.`
}

/** `curl -d '{…}'` sends JSON with the content type of a form. */
function parseFormOrJson(text: string): unknown {
  return /^\s*[{[]/.test(text) ? parseJson(text) : parseForm(text)
}
