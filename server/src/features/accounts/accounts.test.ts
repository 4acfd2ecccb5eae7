import { scryptSync } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { passwordCost } from '#base/secrets/passwords.ts'
import { createToken } from './access-tokens/create-token.ts'
import { findToken } from './access-tokens/find-token.ts'
import { listTokens } from './access-tokens/list-tokens.ts'
import { revokeToken } from './access-tokens/revoke-token.ts'
import { createApp } from './apps/create-app.ts'
import { getApp } from './apps/get-app.ts'
import { listApps } from './apps/list-apps.ts'
import { createMember } from './members/create-member.ts'

const store = await createTestStore()
const now = () => new Date('2026-11-15T10:00:00Z')
const ctx = { store, now }

describe('apps', () => {
  it('come with a token for the back end and a key for the client library', async () => {
    const { app, accessToken, clientKey } = await createApp(ctx, { label: 'shop', name: 'My shop' })
    expect(app).toMatchObject({ label: 'shop', name: 'My shop', settings: {}, createdAt: now() })
    expect(accessToken).toMatch(/^[0-9a-f]{40}$/)
    expect((await findToken(store, accessToken))?.scopes).toEqual(['server'])
    expect((await findToken(store, clientKey))?.scopes).toEqual(['client'])
    expect(await getApp(ctx, { label: 'shop' })).toEqual(app)
  })

  it('are named by their label when no name is given, and listed by label', async () => {
    await createApp(ctx, { label: 'z-app' })
    await createApp(ctx, { label: '1' })
    const apps = await listApps(ctx)
    expect(apps.map((app) => app.label)).toEqual([...apps.map((app) => app.label)].sort())
    expect(apps.find((app) => app.label === 'z-app')?.name).toBe('z-app')
  })

  it.each(['Shop', '-shop', 'shop-', 'a_b', 'a.b', '', 'ü', 'a'.repeat(64), 'a b'])(
    'refuse the label "%s"',
    async (label) => {
      await expect(createApp(ctx, { label })).rejects.toMatchObject({
        code: 'invalid-request',
        message: expect.stringContaining('Expected an app label'),
      })
    },
  )

  it.each(['sandbox', 'panel', 'www', 'api'])('refuse the reserved label %s', async (label) => {
    await expect(createApp(ctx, { label })).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('reserved'),
    })
  })

  it.each(['', '  ', 'two\nlines', '\u0000', '\ud800', 'x'.repeat(256)])('refuse the name %j', async (name) => {
    await expect(createApp(ctx, { label: 'named', name })).rejects.toMatchObject({ code: 'invalid-request' })
  })

  it('have a label once, also when many ask for it together', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => createApp(ctx, { label: 'wanted' })))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    const [refused] = results.filter((result) => result.status === 'rejected')
    expect(refused?.reason).toMatchObject({ code: 'already-exists' })
    const [tokens] = await store.query<{ n: number }>(
      sql`select count(*) as n from access_tokens join apps using (app_id) where label = 'wanted'`,
    )
    expect(tokens?.n).toBe(2)
  })

  it('are not found by a label that nobody has', async () => {
    await expect(getApp(ctx, { label: 'nobody' })).rejects.toMatchObject({
      code: 'not-found',
      message: 'There is no app "nobody".',
    })
  })
})

describe('tokens', () => {
  it('are stored by their hash alone', async () => {
    const app = await createTestApp(store, { at: now })
    const { token } = await createToken(app, { name: 'backend', scopes: ['push', 'tags'] })
    const [row] = await store.query<{ row: string }>(
      sql`select t::text as row from access_tokens t where app_id = ${app.app.id}`,
    )
    expect(row?.row).not.toContain(token)
    expect((await findToken(store, token))?.scopes).toEqual(['push', 'tags'])
  })

  it('are listed without themselves, until they are revoked', async () => {
    const app = await createTestApp(store, { at: now })
    const other = await createTestApp(store, { at: now })
    const expiresAt = new Date('2036-12-15T00:00:00Z')
    const kept = await createToken(app, {
      name: 'kept',
      scopes: ['client'],
      origins: ['https://Shop.example:443/', 'capacitor://localhost'],
      expiresAt,
    })
    const revoked = await createToken(app, { name: 'revoked', scopes: ['read'] })
    await createToken(other, { name: 'foreign', scopes: ['read'] })
    expect((await revokeToken(app, { id: revoked.id })).name).toBe('revoked')
    expect(await findToken(store, revoked.token)).toBeUndefined()
    expect(await listTokens(app)).toEqual([
      {
        id: kept.id,
        name: 'kept',
        scopes: ['client'],
        origins: ['https://shop.example', 'capacitor://localhost'],
        createdAt: now(),
        lastUsedOn: undefined,
        expiresAt,
      },
    ])
  })

  it('are revoked by their own app only, and twice is no error', async () => {
    const app = await createTestApp(store)
    const other = await createTestApp(store)
    const { id, token } = await createToken(app, { name: 'one', scopes: ['server'] })
    await expect(revokeToken(other, { id })).rejects.toMatchObject({ code: 'not-found' })
    await expect(revokeToken(app, { id: 'x' })).rejects.toMatchObject({ code: 'not-found' })
    expect(await findToken(store, token)).toBeDefined()
    const first = await revokeToken(app, { id })
    expect((await revokeToken(app, { id })).revokedAt).toEqual(first.revokedAt)
  })

  it.each([
    [{ scopes: [] }, 'at least one scope'],
    [{ scopes: ['admin'] }, 'Unknown scope "admin"'],
    [{ scopes: ['client', 'read'] }, 'stands alone'],
    [{ scopes: ['server', 'push'] }, 'covers'],
    [{ scopes: ['server'], origins: ['https://a.example'] }, 'Only a token of scope client'],
    [{ scopes: ['client'], origins: ['https://a.example/path'] }, 'Expected an origin'],
    [{ scopes: ['client'], origins: ['a.example'] }, 'Expected an origin'],
    [{ scopes: ['client'], origins: ['*'] }, 'Expected an origin'],
    [{ scopes: ['read'], expiresAt: now() }, 'in the future'],
    [{ scopes: ['read'], expiresAt: new Date(Number.NaN) }, 'in the future'],
    [{ scopes: ['read'], name: '' }, 'the name of a token'],
  ])('are refused with %j', async (input, message) => {
    const app = await createTestApp(store, { at: now })
    await expect(createToken(app, { name: 'x', ...input })).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining(message),
    })
    expect(await listTokens(app)).toEqual([])
  })
})

describe('members', () => {
  const hashOf = async (email: string) =>
    (await store.query<{ password_hash: string }>(sql`select password_hash from members where email = ${email}`))[0]
      ?.password_hash as string

  it('are stored with a scrypt hash that carries its parameters', async () => {
    const app = await createTestApp(store)
    const member = await createMember(app, { email: ' Sara@Example.com ', role: 'admin', password: 'correct horse' })
    expect(member).toMatchObject({ email: 'sara@example.com', role: 'admin', generatedPassword: undefined })
    const [, kind, parameters, salt, hash] = (await hashOf('sara@example.com')).split('$')
    expect([kind, parameters]).toEqual(['scrypt', `ln=${passwordCost.log2N},r=8,p=1`])
    const again = scryptSync('correct horse', Buffer.from(salt as string, 'base64'), 32, {
      N: 2 ** passwordCost.log2N,
      r: 8,
      p: 1,
      maxmem: 2 ** 28,
    })
    expect(again.toString('base64')).toBe(hash)
  })

  it('get a password when none is chosen', async () => {
    const app = await createTestApp(store)
    const member = await createMember(app, { email: 'ali@example.com', role: 'support' })
    expect(member.generatedPassword).toMatch(/^[a-zA-Z2-9]{20}$/)
    expect(await hashOf('ali@example.com')).not.toContain(member.generatedPassword)
  })

  it('have a password of its own for each app that they join', async () => {
    const [first, second] = [await createTestApp(store), await createTestApp(store)]
    const password = 'a long password'
    const { id } = await createMember(first, { email: 'mina@example.com', role: 'analyst', password })
    const before = await hashOf('mina@example.com')
    expect(await createMember(second, { email: 'MINA@example.com', role: 'admin' })).toEqual({
      id,
      email: 'mina@example.com',
      role: 'admin',
      generatedPassword: expect.stringMatching(/^[a-zA-Z2-9]{20}$/),
    })
    await expect(createMember(second, { email: 'mina@example.com', role: 'admin' })).rejects.toMatchObject({
      code: 'already-exists',
    })
    expect(await hashOf('mina@example.com')).toBe(before)
  })

  it.each([
    [{ email: 'nobody' }, 'email'],
    [{ role: 'owner' }, 'Unknown role "owner"'],
    [{ password: 'short' }, '10 to 200 characters'],
  ])('are refused with %j', async (input, message) => {
    const app = await createTestApp(store)
    const member = { email: 'x@example.com', role: 'admin', password: 'long enough!', ...input }
    await expect(createMember(app, member)).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining(message),
    })
  })
})
