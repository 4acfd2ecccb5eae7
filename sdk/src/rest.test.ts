import { afterEach, expect, it, vi } from 'vitest'
import { callService, PeykError } from './rest.ts'

const service = { baseUrl: 'https://push.example.com', clientKey: 'key' }
const keepAliveLimit = 64 * 1024

/** Answers as a browser does: more than 64 KiB with keepalive, together with `inFlight`, fail at once. */
function browser(answer: () => Response, { inFlight = 0, isGone = false } = {}) {
  const asked: RequestInit[] = []
  vi.stubGlobal('fetch', async (_url: string, request: RequestInit) => {
    asked.push(request)
    const bytes = inFlight + Buffer.byteLength(String(request.body ?? ''))
    if (isGone || (request.keepalive && bytes > keepAliveLimit)) throw new TypeError('Failed to fetch')
    return answer()
  })
  return asked
}
const ok = () => Response.json({ id: '1' })
const call = (text: string) => callService(service, '/api/installations/events', { body: { text } })
const failure = (work: Promise<unknown>): Promise<PeykError> =>
  work.then(
    () => expect.fail('it did not fail'),
    (error) => error,
  )

afterEach(() => void vi.unstubAllGlobals())

it('sends what is small even when the page is left meanwhile', async () => {
  const asked = browser(ok)
  expect(await call('hello')).toEqual({ id: '1' })
  expect(asked.map(({ keepalive }) => keepalive)).toEqual([true])
})

it('measures in bytes, as browsers do', async () => {
  const asked = browser(ok)
  await call('سلام'.repeat(10_000))
  expect(asked.map(({ keepalive }) => keepalive)).toEqual([false])
})

it('tries once without keepalive when others have used up what browsers allow', async () => {
  const asked = browser(ok, { inFlight: 60_000 })
  await call('x'.repeat(10_000))
  expect(asked.map(({ keepalive }) => keepalive)).toEqual([true, false])
  expect(asked[0]?.body).toBe(asked[1]?.body)
})

it('fails as network when the service cannot be reached, and when its answer was cut', async () => {
  const asked = browser(ok, { isGone: true })
  expect(await failure(call('hello'))).toMatchObject({ code: 'network', isTemporary: true })
  expect(asked).toHaveLength(2)
  const cut = new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) })
  browser(() => new Response(cut))
  expect(await failure(call('hello'))).toMatchObject({ code: 'network', isTemporary: true })
})

it('says what the service refused, and how long it wants to be left alone', async () => {
  const refuse = (retryAfter?: string) => () =>
    Response.json(
      { error: { code: 'rate-limited', message: 'Slowly.' } },
      { status: 429, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } },
    )
  browser(refuse('7'))
  const error = await failure(call('hello'))
  expect(error).toBeInstanceOf(PeykError)
  expect(error).toMatchObject({ code: 'rate-limited', message: 'Slowly.', status: 429, retryAfterMs: 7_000 })
  browser(refuse())
  expect((await failure(call('hello'))).retryAfterMs).toBeUndefined()
  browser(refuse('Sun, 15 Nov 2026 11:00:00 GMT'))
  expect((await failure(call('hello'))).retryAfterMs).toBeUndefined()
  browser(refuse('999999999'))
  expect((await failure(call('hello'))).retryAfterMs).toBe(3_600_000)
})

it('takes no other page for the service', async () => {
  for (const body of ['<!doctype html><title>Welcome to the hotel</title>', '', '[]']) {
    browser(() => new Response(body))
    expect(await failure(call('hello'))).toMatchObject({ code: 'network', isTemporary: true })
  }
})
