import { afterEach, beforeEach, expect, it, vi } from 'vitest'

/** A service that takes what it is sent and says nothing, until it is let go on. */
function hang() {
  const waiting: (() => void)[] = []
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    signal.addEventListener('abort', () => reject(signal.reason))
    waiting.push(() => resolve(Response.json({ fine: true })))
    return promise
  })
  return () => waiting.splice(0).forEach((answer) => void answer())
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const end = new AbortController()
    setTimeout(() => end.abort(new DOMException('', 'TimeoutError')), ms)
    return end.signal
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('a service that hangs is noticed within ten seconds: questions are given up, changes wait for their answer', async () => {
  const goOn = hang()
  const { call, NoAnswer } = await import('./call.ts')
  const { isServerLost } = await import('./server-state.ts')
  const question = call('GET', '/session').catch((error) => error)
  const change = call('POST', '/sends')
  await vi.advanceTimersByTimeAsync(4_500)
  expect(isServerLost()).toBe(false)
  await vi.advanceTimersByTimeAsync(5_500)
  expect(isServerLost()).toBe(true)
  expect(await question).toBeInstanceOf(NoAnswer)
  goOn()
  expect(await change).toEqual({ fine: true })
  expect(isServerLost()).toBe(false)
})

it('an answer that takes long says nothing against a service that is there', async () => {
  const goOn = hang()
  const { call } = await import('./call.ts')
  const { isServerLost } = await import('./server-state.ts')
  const question = call('GET', '/segments/count')
  await vi.advanceTimersByTimeAsync(5_100)
  goOn()
  expect(await question).toEqual({ fine: true })
  expect(isServerLost()).toBe(false)
})
