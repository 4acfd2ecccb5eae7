import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createTestStore, silentLog } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSecretBox } from '#base/secrets/secret-box.ts'
import type { ApnsCredentials } from '#features/accounts/credential-formats/apns.ts'
import { type ApnsTokens, openApnsTokens } from './apns-tokens.ts'

const store = await createTestStore()
const secretBox = createSecretBox([randomBytes(32)])
let keys = 0
let credentials: ApnsCredentials

beforeEach(() => {
  credentials = newCredentials(`KEY${String(++keys).padStart(7, '0')}`)
})

function newCredentials(keyId: string): ApnsCredentials {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { keyId, teamId: 'TEAM123456', bundleId: 'com.example.shop', environment: 'sandbox', privateKey: pem }
}

/** Each is a process of its own: they share nothing but the store. */
const newProcess = () => openApnsTokens({ store, secretBox, log: silentLog })

async function tokenOf(tokens: ApnsTokens, of = credentials): Promise<string> {
  const access = await tokens.get(of)
  if (access.kind !== 'token') return expect.fail(access.detail)
  return access.token
}

const age = (minutes: number) =>
  store.query(
    sql`update apns_tokens set issued_at = now() - make_interval(mins => ${minutes}) where key_id = ${credentials.keyId}`,
  )

afterEach(() => vi.useRealTimers())

describe('the tokens of APNs', () => {
  it('are signed as Apple asks', async () => {
    const token = await tokenOf(newProcess())
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', kid: credentials.keyId })
    expect(decodeJwt(token)).toEqual({ iss: 'TEAM123456', iat: expect.any(Number) })
    await jwtVerify(token, createPublicKey(credentials.privateKey))
  })

  it('are the same in all processes, also when all ask at once for the first', async () => {
    const processes = Array.from({ length: 5 }, newProcess)
    const tokens = await Promise.all(processes.flatMap((tokens) => [tokenOf(tokens), tokenOf(tokens)]))
    expect(new Set(tokens).size).toBe(1)
    expect(await tokenOf(newProcess())).toBe(tokens[0])
  })

  it('are sealed in the store', async () => {
    const token = await tokenOf(newProcess())
    const [row] = await store.query<{ sealed: Buffer }>(
      sql`select sealed from apns_tokens where key_id = ${credentials.keyId}`,
    )
    expect(row?.sealed.toString('latin1')).not.toContain(token.slice(0, 20))
    expect(secretBox.open(row?.sealed as Buffer)).toBe(token)
  })

  it('are not given to somebody who has only the ids and not the key', async () => {
    const token = await tokenOf(newProcess())
    const other = await tokenOf(newProcess(), newCredentials(credentials.keyId))
    expect(other).not.toBe(token)
    expect(await tokenOf(newProcess())).toBe(token)
  })

  it('are kept for 39 minutes and made anew after 41, once for all processes', async () => {
    const token = await tokenOf(newProcess())
    await age(39)
    expect(await tokenOf(newProcess())).toBe(token)
    await age(41)
    const renewed = await Promise.all([newProcess(), newProcess(), newProcess()].map((tokens) => tokenOf(tokens)))
    expect(new Set(renewed).size).toBe(1)
    expect(renewed[0]).not.toBe(token)
  })

  it('are made anew when Apple calls them expired, but not before they are 20 minutes old', async () => {
    const [first, second] = [newProcess(), newProcess()]
    const token = await tokenOf(first)
    expect(await tokenOf(second)).toBe(token)
    expect(await first.renew(credentials, token)).toMatchObject({
      kind: 'paused',
      detail: expect.stringContaining('clock'),
    })
    await age(21)
    const renewed = await first.renew(credentials, token)
    expect(renewed).toMatchObject({ kind: 'token', token: expect.not.stringMatching(token) })
    expect(await second.renew(credentials, token)).toEqual(renewed)
  })

  it('are made anew when the clock was put back behind them, or the key that sealed them is gone', async () => {
    const token = await tokenOf(newProcess())
    await age(-60)
    const renewed = await tokenOf(newProcess())
    expect(renewed).not.toBe(token)
    const other = openApnsTokens({ store, secretBox: createSecretBox([randomBytes(32)]), log: silentLog })
    expect(await tokenOf(other)).not.toBe(renewed)
  })

  it('are held by a process until they are due, and renewed while they are still good', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const tokens = newProcess()
    const token = await tokenOf(tokens)
    await age(41)
    expect(await tokenOf(tokens)).toBe(token)
    vi.advanceTimersByTime(41 * 60_000)
    expect(await tokenOf(tokens)).toBe(token)
    await poll(() => tokenOf(tokens)).not.toBe(token)
  })

  it('are used while the store is away, as long as Apple takes them', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    let isAway = false
    const query: typeof store.query = (...args) => (isAway ? Promise.reject(new Error('away')) : store.query(...args))
    const tokens = openApnsTokens({ store: { ...store, query }, secretBox, log: silentLog })
    const token = await tokenOf(tokens)
    isAway = true
    vi.advanceTimersByTime(57 * 60_000)
    expect(await tokenOf(tokens)).toBe(token)
    vi.advanceTimersByTime(2 * 60_000)
    await poll(() => tokens.get(credentials)).toMatchObject({ kind: 'later' })
  })

  it('wait while the store is away, and never throw', async () => {
    const away = { ...store, query: () => Promise.reject(new Error('away')) }
    const tokens = openApnsTokens({ store: away, secretBox, log: silentLog })
    expect(await tokens.get(credentials)).toMatchObject({ kind: 'later', isForAll: true })
    expect(await tokens.renew(credentials, 'x')).toMatchObject({ kind: 'later' })
  })
})
