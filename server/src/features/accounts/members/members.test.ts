import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { createTestMember } from '@peyk/test/panel-caller.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { listAudit } from '../audit/list-audit.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { changePassword } from '../sessions/change-password.ts'
import { findSession, type MemberSession } from '../sessions/find-session.ts'
import { signIn } from '../sessions/sign-in.ts'
import { signInByLink } from '../sessions/sign-in-by-link.ts'
import { SignInDelay } from '../sessions/sign-in-delay.ts'
import { changeRole } from './change-role.ts'
import { createMember } from './create-member.ts'
import { findMember } from './find-member.ts'
import { inviteMember } from './invite-member.ts'
import { listAppsOfMember } from './list-apps-of-member.ts'
import { listMembers } from './list-members.ts'
import { removeMember } from './remove-member.ts'
import { renewMemberLink } from './renew-member-link.ts'

const store = await createTestStore()
const accounts = { store, now: () => new Date() }
const from = { address: '::1', browser: '' }
const enter = (key: string) => signInByLink(accounts, { key, ...from }, new SignInDelay(() => 0))
const signInWith = (email: string, password: string) =>
  signIn(accounts, { email, password, ...from }, new SignInDelay(() => 0))
async function changeTo(next: string, key: string, current?: string) {
  const session = (await findSession(accounts, { key })) as MemberSession
  await changePassword(accounts, { session, current, next, address: '::1' }, new SignInDelay(() => 0))
}

describe('members', () => {
  it('are invited with a link that signs them in', async () => {
    const ctx = await createTestApp(store)
    const invited = await inviteMember(ctx, { email: 'New@Shop.example', role: 'marketer' })
    expect(invited).toMatchObject({ email: 'new@shop.example', role: 'marketer', secret: expect.any(String) })
    const { key } = await enter(invited.secret as string)
    expect(await findSession(ctx, { key, appLabel: ctx.app.label })).toMatchObject({
      email: 'new@shop.example',
      inApp: { app: ctx.app, role: 'marketer' },
    })
    expect(await listMembers({ ...ctx, member: { ...invited } })).toMatchObject([
      { email: 'new@shop.example', role: 'marketer', isYou: true, lastSeenAt: expect.any(Number) },
    ])
    await expect(inviteMember(ctx, { email: 'new@shop.example', role: 'admin' })).rejects.toMatchObject({ status: 409 })
    await expect(inviteMember(ctx, { email: 'nobody', role: 'admin' })).rejects.toMatchObject({ status: 400 })
  })

  it('are invited with the same answer, whether they belong to other apps or not', async () => {
    const [mine, theirs] = [await createTestApp(store), await createTestApp(store)]
    await inviteMember(theirs, { email: 'known@shop.example', role: 'admin' })
    const answers = [
      await inviteMember(mine, { email: 'known@shop.example', role: 'analyst' }),
      await inviteMember(mine, { email: 'unknown@shop.example', role: 'analyst' }),
    ]
    const [known, unknown] = answers.map((answer) => Object.keys(answer))
    expect(known).toEqual(unknown)
    const [first, second] = await listMembers(mine)
    expect(Object.keys(first as object)).toEqual(Object.keys(second as object))
    expect((first?.createdAt as number) - (second?.createdAt as number)).toBeLessThanOrEqual(0)
  })

  it('who were made in one app are let into another by nothing that opens the first', async () => {
    const [mine, theirs] = [await createTestApp(store), await createTestApp(store)]
    const email = 'chief@bank.example'
    // An admin of one app makes an account for an address that is not theirs, and signs in with it.
    const { id, secret } = await inviteMember(theirs, { email, role: 'analyst' })
    const stolen = await enter(secret)
    await changeTo('known to a stranger', stolen.key)
    const { secret: unused } = await renewMemberLink(theirs, { id })

    const invited = await inviteMember(mine, { email, role: 'admin' })
    expect(await findSession(mine, { key: stolen.key })).toBeUndefined()
    const bySecond = await enter(unused)
    const byPassword = await signInWith(email, 'known to a stranger')
    for (const { key } of [bySecond, byPassword]) {
      const session = await findSession(mine, { key, appLabel: mine.app.label })
      expect(session).toMatchObject({ inApp: undefined, appIds: [theirs.app.id] })
      expect(await listAppsOfMember(mine, session as MemberSession)).toMatchObject([{ label: theirs.app.label }])
    }

    // The link of the invitation opens this app and no other, and the password chosen then does the same.
    const { key } = await enter(invited.secret)
    expect(await findSession(mine, { key, appLabel: theirs.app.label })).toMatchObject({ inApp: undefined })
    await changeTo('chosen by the chief', key)
    const own = await signInWith(email, 'chosen by the chief')
    expect(await findSession(mine, { key: own.key })).toMatchObject({ appIds: [mine.app.id] })
    expect(await findSession(mine, { key: (await signInWith(email, 'known to a stranger')).key })).toMatchObject({
      appIds: [theirs.app.id],
    })
  })

  it('who choose the same password for two apps sign in to both at once', async () => {
    const apps = [await createTestApp(store), await createTestApp(store)]
    const email = 'both@shop.example'
    for (const app of apps)
      await changeTo('one for both apps', (await enter((await inviteMember(app, { email, role: 'admin' })).secret)).key)
    const { key } = await signInWith(email, 'one for both apps')
    expect((await findSession(apps[0] as Context, { key }))?.appIds).toEqual(apps.map(({ app }) => app.id))
    await changeTo('another for both', key, 'one for both apps')
    expect(
      (await findSession(apps[0] as Context, { key: (await signInWith(email, 'another for both')).key }))?.appIds,
    ).toHaveLength(2)
  })

  it('of before the update keep their one password for all their apps', async () => {
    const apps = [await createTestApp(store), await createTestApp(store)]
    const email = 'old@shop.example'
    for (const app of apps) await createMember(app, { email, role: 'admin', password: 'an old password' })
    await store.query(sql`update member_apps set password_hash = null, added_at = null`)
    const { key } = await signInWith(email, 'an old password')
    expect((await findSession(apps[0] as Context, { key }))?.appIds).toHaveLength(2)
    expect(await listMembers(apps[0] as Context)).toMatchObject([{ email, createdAt: expect.any(Number) }])
  })

  it('get a new link from any admin, which opens the app of that admin only', async () => {
    const [mine, theirs] = [await createTestApp(store), await createTestApp(store)]
    for (const app of [mine, theirs]) await inviteMember(app, { email: 'two@shop.example', role: 'admin' })
    const { id } = (await listMembers(mine))[0] as { id: string }
    const { key } = await enter((await renewMemberLink(mine, { id })).secret)
    expect(await findSession(mine, { key, appLabel: mine.app.label })).toMatchObject({ inApp: { role: 'admin' } })
    expect(await findSession(mine, { key, appLabel: theirs.app.label })).toMatchObject({ inApp: undefined })
    const left = await renewMemberLink(mine, { id })
    await createTestMember(mine, 'admin')
    await removeMember(mine, { id })
    await expect(enter(left.secret)).rejects.toMatchObject({ code: 'wrong-sign-in' })
  })

  it('change roles and leave, but never the last admin', async () => {
    const ctx = await createTestApp(store)
    const [one, two] = [await createTestMember(ctx, 'admin'), await createTestMember(ctx, 'admin')]
    const both = await Promise.allSettled([removeMember(ctx, one), changeRole(ctx, { id: two.id, role: 'support' })])
    const refused = both.filter((result) => result.status === 'rejected')
    expect(refused).toMatchObject([{ reason: { message: expect.stringContaining('only admin') } }])
    const [admin] = (await listMembers(ctx)).filter(({ role }) => role === 'admin')
    await expect(removeMember(ctx, { id: admin?.id as string })).rejects.toMatchObject({ status: 400 })
    await expect(changeRole(ctx, { id: admin?.id as string, role: 'analyst' })).rejects.toMatchObject({ status: 400 })
    await expect(changeRole(ctx, { id: admin?.id as string, role: 'owner' })).rejects.toMatchObject({ status: 400 })
  })

  it('are forgotten with their sessions when they leave their only app', async () => {
    const ctx = await createTestApp(store)
    await createTestMember(ctx, 'admin')
    const leaving = await createTestMember(ctx, 'support')
    expect(await removeMember(ctx, leaving)).toEqual({ id: leaving.id, email: leaving.email })
    expect(await findSession(ctx, { key: leaving.key })).toBeUndefined()
    expect(await findMember(ctx, leaving)).toBeUndefined()
  })

  it('are not reached from another app', async () => {
    const [mine, theirs] = [await createTestApp(store), await createTestApp(store)]
    const member = await createTestMember(theirs, 'support')
    for (const work of [
      () => removeMember(mine, member),
      () => changeRole(mine, { id: member.id, role: 'admin' }),
      () => renewMemberLink(mine, member),
      () => removeMember(mine, { id: 'x' }),
    ])
      await expect(work()).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('the audit log', () => {
  it('is read newest first, page by page, and of one app only', async () => {
    const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
    const member = { ...(await createTestMember(ctx, 'admin')), role: 'admin' }
    for (let index = 1; index <= 5; index++) {
      await recordAudit({ ...ctx, member }, { action: 'PUT /app', details: { name: `name ${index}` } })
      await recordAudit({ ...other, member }, { action: 'PUT /other' })
    }
    const first = await listAudit(ctx, { limit: 3 })
    const second = await listAudit(ctx, { limit: 3, cursor: first.cursor as string })
    expect([...first.data, ...second.data].map(({ details }) => details?.name)).toEqual(
      [5, 4, 3, 2, 1].map((index) => `name ${index}`),
    )
    expect(first.data[0]).toMatchObject({ email: member.email, action: 'PUT /app' })
    expect(second.cursor).toBeUndefined()
    await expect(listAudit(ctx, { cursor: 'x' })).rejects.toMatchObject({ code: 'invalid-request' })
  })
})
