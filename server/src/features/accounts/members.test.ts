import { describe, expect, it } from 'vitest'
import { createTestMember } from '../../../../test/helpers/panel-caller.ts'
import { createTestApp, createTestStore } from '../../../../test/helpers/test-store.ts'
import { changeRole } from './change-role.ts'
import { createMember } from './create-member.ts'
import { findMember } from './find-member.ts'
import { findSession } from './find-session.ts'
import { inviteMember } from './invite-member.ts'
import { listAudit } from './list-audit.ts'
import { listMembers } from './list-members.ts'
import { recordAudit } from './record-audit.ts'
import { removeMember } from './remove-member.ts'
import { renewMemberLink } from './renew-member-link.ts'
import { signInByLink } from './sign-in-by-link.ts'
import { SignInDelay } from './sign-in-delay.ts'

const store = await createTestStore()
const enter = (key: string) =>
  signInByLink({ store, now: () => new Date() }, { key, address: '::1', browser: '' }, new SignInDelay(() => 0))

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

  it('of another app get no link, which would open that app to whoever invites them', async () => {
    const [mine, theirs] = [await createTestApp(store), await createTestApp(store)]
    const first = await inviteMember(theirs, { email: 'both@shop.example', role: 'admin' })
    const member = { ...(await createTestMember(mine, 'admin')), role: 'admin' }
    await createMember(theirs, { email: member.email, role: 'analyst' })
    const second = await inviteMember({ ...mine, member }, { email: 'both@shop.example', role: 'analyst' })
    expect(second).toEqual({ id: first.id, email: 'both@shop.example', role: 'analyst' })
    await expect(enter(first.secret as string)).rejects.toMatchObject({ code: 'wrong-sign-in' })
    await expect(renewMemberLink(mine, second)).rejects.toMatchObject({
      message: expect.stringContaining('member of other apps'),
    })
    await removeMember({ ...mine }, second)
    expect(await findMember(mine, { email: 'both@shop.example' })).toBeDefined()
    await expect(renewMemberLink(mine, second)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('of apps that whoever invites does not know are not let in: anybody may have made their account', async () => {
    const [mine, theirs] = [await createTestApp(store), await createTestApp(store)]
    const { secret } = await inviteMember(theirs, { email: 'chief@bank.example', role: 'analyst' })
    const { key } = await enter(secret as string)
    const member = { ...(await createTestMember(mine, 'admin')), role: 'admin' }
    await expect(
      inviteMember({ ...mine, member }, { email: 'Chief@bank.example', role: 'admin' }),
    ).rejects.toMatchObject({ code: 'invalid-request', message: expect.stringContaining('peyk member create') })
    expect(await findSession(mine, { key, appLabel: mine.app.label })).toMatchObject({ inApp: undefined })
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
