import { loadConfig } from '@peyk/server/base/config.ts'
import type { External } from '@peyk/server/base/external.ts'
import { createHttpServer } from '@peyk/server/entry/http/server.ts'
import { afterAll } from 'vitest'
import { createTestApp, createTestStore, createTestToken, silentLog, testExternal } from '../database/test-store.ts'
import { checkAnswer } from './check-answer.ts'

/** The service on a database of its own and a free port, with an app and one token of each kind. */
export async function createTestServer(
  options: { env?: Record<string, string>; at?: () => Date; external?: External; patienceMs?: number } = {},
) {
  const store = await createTestStore(options)
  const config = loadConfig({
    PEYK_PORT: '0',
    PEYK_LOG_LEVEL: 'silent',
    PEYK_MODE: 'production',
    PEYK_RATE_REGISTRATIONS: '1000000000',
    ...options.env,
  })
  const server = await createHttpServer({
    config,
    store,
    log: silentLog,
    now: options.at ?? (() => new Date()),
    external: options.external ?? testExternal,
  })
  const baseUrl = await server.app.listen({ host: '127.0.0.1', port: 0 })
  afterAll(() => server.close())
  const ctx = await createTestApp(store, {
    ...(options.at && { at: options.at }),
    ...(options.external && { external: options.external }),
  })
  const token = await createTestToken(ctx)
  const clientKey = await createTestToken(ctx, ['client'])
  return {
    store,
    server,
    baseUrl,
    ctx,
    token,
    clientKey,
    call: caller(baseUrl, token),
    callAsClient: caller(baseUrl, clientKey),
  }
}

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
  headers: Headers
}

/** Sends JSON and reads JSON, which is what the contract says: `await call('POST', '/api/push/toUsers', { user: 'u1', content: 'hi' })`. */
export function caller(baseUrl: string, token: string) {
  return async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        'x-access-token': token,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer = text ? JSON.parse(text) : undefined
    if (response.status === 200) checkAnswer(method, path, answer)
    return { status: response.status, body: answer, headers: response.headers }
  }
}
