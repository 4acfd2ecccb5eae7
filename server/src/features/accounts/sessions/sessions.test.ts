import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { isPassword } from '#base/secrets/passwords.ts'
import { createMember } from '../members/create-member.ts'
import { findMember } from '../members/find-member.ts'
import { changePassword } from './change-password.ts'
import { endSessions } from './end-sessions.ts'
import { findSession, type MemberSession } from './find-session.ts'
import { listSessions } from './list-sessions.ts'
import { makeSignInLink } from './make-sign-in-link.ts'
import { openSession } from './open-session.ts'
import { signIn } from './sign-in.ts'
import { signInByLink } from './sign-in-by-link.ts'
import { SignInDelay } from './sign-in-delay.ts'
import { signOut } from './sign-out.ts'
import { sweepSessions } from './sweep-sessions.ts'

const DAY = 86_400_000
const store = await createTestStore()
const start = Number(new Date('2026-11-15T10:00:00Z'))
const at = (ms: number) => ({ store, now: () => new Date(start + ms) })
const ctx = at(0)
const app = await createTestApp(store, { at: ctx.now })
const password = 'correct horse battery'
await createMember(app, { email: 'sara@shop.example', role: 'admin', password })
const sara = (await findMember(ctx, { email: 'sara@shop.example' }))?.id as string
const from = { address: '192.0.2.1', browser: 'Firefox' }
const calm = () => new SignInDelay(() => 0)
const enter = (context = ctx, byLink = false) => openSession(context, { memberId: sara, browser: 'Firefox', byLink })
const find = async (key: string, context = ctx) => (await findSession(context, { key })) as MemberSession

describe('signing in', () => {
  it('is not closed to members who return by strangers of many networks', async () => {
    const delay = calm()
    const input = { email: 'sara@shop.example', password, ...from }
    await signIn(ctx, input, delay)
    const other = { ...input, email: 'nobody@shop.example' }
    const flood = Array.from({ length: 200 }, (_, index) =>
      signIn(ctx, { ...other, address: `198.51.100.${index}` }, delay),
    )
    const [refused, entered] = await Promise.all([Promise.allSettled(flood), signIn(ctx, input, delay)])
    const codes = refused.map((each) => (each.status === 'rejected' ? each.reason.code : 'entered'))
    expect(new Set(codes)).toEqual(new Set(['wrong-sign-in', 'too-many-requests']))
    expect(entered).toHaveProperty('key')
  })

  it('is not closed to other tenants by strangers of many networks', async () => {
    const delay = calm()
    const flood = Array.from({ length: 200 }, (_, index) =>
      signIn(ctx, { email: `x${index}@bank.example`, password, ...from, address: `198.51.100.${index}` }, delay),
    )
    const first = signIn(ctx, { email: 'sara@shop.example', password, ...from }, delay)
    const [refused, entered] = await Promise.all([Promise.allSettled(flood), first])
    expect(entered).toHaveProperty('key')
    const codes = refused.map((each) => each.status === 'rejected' && each.reason.code)
    expect(new Set(codes)).toEqual(new Set(['wrong-sign-in', 'too-many-requests']))
  })

  it('takes the password, and the address in any case', async () => {
    const { key } = await signIn(ctx, { email: ' Sara@Shop.example', password, ...from }, calm())
    expect(await find(key)).toMatchObject({ email: 'sara@shop.example', memberId: sara, byLink: false })
    const [row] = await store.query<{ stored: string }>(
      sql`select member_sessions::text as stored from member_sessions where member_id = ${sara} limit 1`,
    )
    expect(row?.stored).not.toContain(key)
  })

  it('says the same of a wrong password and of nobody', async () => {
    const refusals = await Promise.all(
      [
        { email: 'sara@shop.example', password: 'wrong' },
        { email: 'nobody@shop.example', password },
      ].map((input) => signIn(ctx, { ...input, ...from }, calm()).catch(({ code, message }) => ({ code, message }))),
    )
    expect(refusals[0]).toEqual({ code: 'wrong-sign-in', message: 'The email address or the password is wrong.' })
    expect(refusals[1]).toEqual(refusals[0])
  })

  it('by a link works once, also when many try it together', async () => {
    const { key } = await makeSignInLink(ctx, { memberId: sara })
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => signInByLink(ctx, { key, ...from }, new SignInDelay(() => 0))),
    )
    const [entered] = results.filter((result) => result.status === 'fulfilled')
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    expect(await find((entered as PromiseFulfilledResult<{ key: string }>).value.key)).toMatchObject({ byLink: true })
    const refused = results.find((result) => result.status === 'rejected') as PromiseRejectedResult
    expect(refused.reason).toMatchObject({ code: 'wrong-sign-in' })
  })

  it('by a link works for a day, and not by an earlier one', async () => {
    const first = await makeSignInLink(ctx, { memberId: sara })
    const second = await makeSignInLink(ctx, { memberId: sara })
    const late = at(DAY + 1)
    await expect(signInByLink(ctx, { key: first.key, ...from }, calm())).rejects.toMatchObject({ status: 401 })
    await expect(signInByLink(late, { key: second.key, ...from }, calm())).rejects.toMatchObject({ status: 401 })
    await expect(signInByLink(at(DAY - 1), { key: second.key, ...from }, calm())).resolves.toBeDefined()
  })
})

describe('a session', () => {
  it('ends after 14 days without a visit', async () => {
    const { key } = await enter()
    expect(await find(key, at(14 * DAY - 1))).toBeDefined()
    expect(await find(key, at(28 * DAY - 2))).toBeDefined()
    expect(await find(key, at(42 * DAY))).toBeUndefined()
  })

  it('ends after 60 days in any case', async () => {
    const { key } = await enter()
    for (let day = 10; day < 60; day += 10) expect(await find(key, at(day * DAY)), `day ${day}`).toBeDefined()
    expect(await find(key, at(60 * DAY))).toBeUndefined()
  })

  it('ends when the member signs out, here or elsewhere', async () => {
    const [one, two, three] = [await enter(), await enter(), await enter()]
    await signOut(ctx, { key: one.key })
    expect(await find(one.key)).toBeUndefined()
    const { hash } = await find(two.key)
    const listed = await listSessions(ctx, { memberId: sara, hash })
    expect(listed.filter(({ isThis }) => isThis)).toHaveLength(1)
    await endSessions(ctx, { memberId: sara, except: hash })
    expect(await find(two.key)).toBeDefined()
    expect(await find(three.key)).toBeUndefined()
    expect(await listSessions(ctx, { memberId: sara, hash })).toMatchObject([{ isThis: true, browser: 'Firefox' }])
  })

  it('is swept when it has expired', async () => {
    await enter()
    await makeSignInLink(ctx, { memberId: sara })
    await sweepSessions(at(60 * DAY))
    expect(await store.query(sql`select 1 from member_sessions union all select 1 from member_links`)).toEqual([])
  })
})

describe('changing the password', () => {
  it('needs the current one, and ends all other sessions and links', async () => {
    const { id } = await createMember(app, { email: 'ali@shop.example', role: 'admin', password })
    const open = () => openSession(ctx, { memberId: id, browser: '', byLink: false })
    const [here, there] = [await open(), await open()]
    const link = await makeSignInLink(ctx, { memberId: id })
    const session = await find(here.key)
    const change = (input: { current?: string; next: string }) =>
      changePassword(ctx, { session, ...from, ...input }, calm())
    await expect(change({ current: 'wrong', next: 'a new password' })).rejects.toMatchObject({
      code: 'invalid-request',
      details: { field: 'current' },
    })
    await expect(change({ next: 'a new password' })).rejects.toMatchObject({ code: 'invalid-request' })
    await expect(change({ current: password, next: 'short' })).rejects.toMatchObject({ code: 'invalid-request' })
    await change({ current: password, next: 'a new password' })
    const { passwordHash } = (await findMember(ctx, { email: 'ali@shop.example' })) as { passwordHash: string }
    expect(await isPassword('a new password', passwordHash)).toBe(true)
    expect(await find(here.key)).toBeDefined()
    expect(await find(there.key)).toBeUndefined()
    await expect(signInByLink(ctx, { key: link.key, ...from }, calm())).rejects.toMatchObject({ status: 401 })
  })

  it('does without the current one for an hour after a link, once', async () => {
    const { key } = await enter(ctx, true)
    const session = await find(key)
    const change = (context: typeof ctx, shown: MemberSession) =>
      changePassword(context, { session: shown, ...from, next: 'chosen after a link' }, calm())
    await expect(change(at(3_600_000), session)).rejects.toMatchObject({ details: { field: 'current' } })
    await change(at(3_599_999), session)
    await expect(change(ctx, await find(key))).rejects.toMatchObject({ details: { field: 'current' } })
  })
})
