import { describe, expect, it } from 'vitest'
import type { Outcome } from '../provider.ts'
import { troubleOf } from './trouble-of.ts'
import { TroubleWatch } from './trouble-watch.ts'

const later = (detail: string, more: object = {}): Outcome => ({
  kind: 'later',
  retryAfterMs: 1,
  isForAll: false,
  detail,
  ...more,
})
const away = later('the host name is not known', { isFault: true })
const refusing = later('connection refused', { isFault: true })

describe('what an outcome says of the provider', () => {
  it.each<[Outcome, ReturnType<typeof troubleOf>]>([
    [{ kind: 'accepted' }, 'none'],
    [{ kind: 'gone', detail: 'x' }, 'none'],
    [{ kind: 'refused', detail: 'x' }, 'none'],
    [{ kind: 'paused', detail: 'x' }, undefined],
    [away, 'name-not-found'],
    [later('no access token from Google: the host name is not known', { isForAll: true }), 'name-not-found'],
    [refusing, 'connection-refused'],
    [{ kind: 'unknown', detail: 'no answer in time' }, 'timed-out'],
    [{ kind: 'unknown', detail: 'the connection was reset by the other side' }, 'network'],
    [{ kind: 'unknown', detail: 'something else' }, 'timed-out'],
    [later('FCM 503 UNAVAILABLE', { isFault: true }), 'server-error'],
    [later('FCM 429 QUOTA_EXCEEDED', { isForAll: true, isQuota: true }), 'slow-down'],
    [later('APNs 429 TooManyRequests'), undefined],
  ])('%j', (outcome, trouble) => {
    expect(troubleOf(outcome)).toBe(trouble)
  })
})

describe('a trouble', () => {
  function watch() {
    let at = 1_000_000
    const told: string[] = []
    const watched = new TroubleWatch({
      now: () => new Date(at),
      onTrouble: async (since, reason) => void told.push(`${reason} since ${since.getTime()}`),
      onRecovered: async () => void told.push('recovered'),
    })
    return {
      told,
      see: async (outcome: Outcome, afterMs = 0) => {
        at += afterMs
        watched.see(outcome)
        await watched.settled()
      },
    }
  }

  it('is told when it has lasted for some seconds, with when it began; then its end, once', async () => {
    const { told, see } = watch()
    await see(away)
    await see(away, 4_000)
    expect(told).toEqual([])
    await see(away, 1_000)
    await see(away, 60_000)
    expect(told).toEqual(['name-not-found since 1000000'])
    await see(refusing, 1_000)
    expect(told.at(-1)).toBe('connection-refused since 1000000')
    await see({ kind: 'accepted' })
    await see({ kind: 'accepted' })
    await see(away, 10_000)
    expect(told.slice(2)).toEqual(['recovered'])
  })

  it('of an earlier process ends with the first push that is taken', async () => {
    const { told, see } = watch()
    await see({ kind: 'accepted' })
    expect(told).toEqual(['recovered'])
  })

  it('begins anew after a push that was taken', async () => {
    const { told, see } = watch()
    await see(away)
    await see({ kind: 'accepted' }, 4_000)
    await see(away, 4_000)
    await see(away, 6_000)
    expect(told).toEqual(['recovered', 'name-not-found since 1008000'])
  })

  it('that could not be stored is told again', async () => {
    let fails = 1
    let told = 0
    const watched = new TroubleWatch({
      now: () => new Date(),
      onTrouble: async () => undefined,
      onRecovered: async () => {
        if (fails-- > 0) throw new Error('away')
        told++
      },
    })
    for (let times = 0; times < 3; times++) {
      watched.see({ kind: 'accepted' })
      await watched.settled()
    }
    expect(told).toBe(1)
  })
})
