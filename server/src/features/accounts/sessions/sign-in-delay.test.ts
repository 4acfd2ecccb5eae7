import { openTwoProcesses } from '@peyk/test/database/two-processes.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { describe, expect, it } from 'vitest'
import { busOf } from '#base/bus/bus.ts'
import type { RequestError } from '#base/errors.ts'
import { SignInDelay } from './sign-in-delay.ts'

function begin() {
  let now = 0
  const delay = new SignInDelay(() => now)
  const attempt = (address = '192.0.2.1', email = 'sara@shop.example') => {
    try {
      delay.begin(address, email)
      return 0
    } catch (error) {
      expect(error).toMatchObject({ code: 'too-many-requests' })
      return (error as RequestError).retryAfterSeconds
    }
  }
  return { delay, attempt, pass: (seconds: number) => (now += seconds * 1000) }
}

describe('the delay after failures', () => {
  it('grows, up to a quarter of an hour', () => {
    const { attempt, pass } = begin()
    expect([attempt(), attempt(), attempt()]).toEqual([0, 0, 0])
    const waits: unknown[] = []
    for (let failure = 0; failure < 12; failure++) {
      const seconds = attempt() as number
      waits.push(seconds)
      pass(seconds)
      expect(attempt()).toBe(0)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  })

  it('does not concern others, and is forgotten after success or time', () => {
    const { delay, attempt, pass } = begin()
    for (let failure = 0; failure < 4; failure++) attempt()
    expect(attempt()).toBeGreaterThan(0)
    expect(attempt('192.0.2.1', 'ali@shop.example')).toBe(0)
    expect(attempt('198.51.100.7')).toBe(0)
    pass(901)
    expect([attempt(), attempt()]).toEqual([0, 0])
    delay.succeed('192.0.2.1', 'SARA@shop.example')
    expect([attempt(), attempt(), attempt()]).toEqual([0, 0, 0])
  })

  it('concerns one who tries many addresses', () => {
    const { attempt } = begin()
    const results = Array.from({ length: 30 }, (_, index) => attempt('192.0.2.1', `u${index}@shop.example`))
    expect(results.slice(0, 20)).toEqual(Array(20).fill(0))
    expect(results[20]).toBe(1)
  })

  it('stays short for all who share an address', () => {
    const { attempt, pass } = begin()
    for (let index = 0; index < 40; index++) {
      attempt('192.0.2.1', `u${index}@shop.example`)
      pass(30)
    }
    attempt('192.0.2.1', 'u@shop.example')
    expect(attempt('192.0.2.1', 'sara@shop.example')).toBe(30)
  })

  it('takes the addresses of an IPv6 network for one', () => {
    const { attempt } = begin()
    const results = Array.from({ length: 30 }, (_, index) =>
      attempt(`2001:db8:1:2::${index}`, `u${index}@shop.example`),
    )
    expect(results[20]).toBe(1)
    expect(attempt('2001:db8:1:3::1')).toBe(0)
    expect(attempt('::1')).toBe(0)
  })

  it('remembers a bounded number', () => {
    const { delay, attempt } = begin()
    for (let index = 0; index < 12_000; index++) attempt(`10.0.${index >> 8}.${index & 255}`)
    expect((delay as unknown as { failures: Map<string, unknown> }).failures.size).toBe(10_000)
  })
})

describe('several processes', () => {
  it('count what fails at any of them, and forget it when it succeeds', async () => {
    const [store, other] = await openTwoProcesses()
    const [here, there] = [store, other].map((each) => new SignInDelay(() => 0, busOf(each))) as [
      SignInDelay,
      SignInDelay,
    ]
    const attempt = (delay: SignInDelay) => {
      try {
        delay.begin('192.0.2.1', 'sara@shop.example')
        return true
      } catch {
        return false
      }
    }
    expect([attempt(here), attempt(here), attempt(here)]).toEqual([true, true, true])
    await poll(() => attempt(there)).toBe(false)
    there.succeed('192.0.2.1', 'sara@shop.example')
    await poll(() => attempt(here)).toBe(true)
  })
})
