import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { describe, expect, it } from 'vitest'
import { isPassword } from '#base/secrets/passwords.ts'
import { findMember } from '../accounts/members/find-member.ts'
import { listMembers } from '../accounts/members/list-members.ts'
import { signInByLink } from '../accounts/sessions/sign-in-by-link.ts'
import { SignInDelay } from '../accounts/sessions/sign-in-delay.ts'
import { openDemoMember } from './open-demo-member.ts'

const store = await createTestStore()

describe("the demo's member", () => {
  it('is made once, keeps a password that works, and gets another one otherwise', async () => {
    const ctx = await createTestApp(store)
    const first = await openDemoMember(ctx, { known: undefined })
    expect(first).toMatchObject({ email: 'demo@peyk.local', password: expect.stringMatching(/^\w{20}$/) })
    const again = await openDemoMember(ctx, { known: first.password })
    expect(again.password).toBe(first.password)
    expect(again.linkKey).not.toBe(first.linkKey)
    const renewed = await openDemoMember(ctx, { known: 'lost' })
    expect(renewed.password).not.toBe(first.password)
    const { passwordHash } = (await findMember(ctx, first)) as { passwordHash: string }
    expect(await isPassword(renewed.password, passwordHash)).toBe(true)
    expect(await listMembers(ctx)).toMatchObject([{ email: 'demo@peyk.local', role: 'admin' }])
  })

  it('keeps its password when another place asks for one: that gets a member of its own', async () => {
    const ctx = await createTestApp(await createTestStore())
    const first = await openDemoMember(ctx, { known: undefined, place: 'here' })
    const second = await openDemoMember(ctx, { known: undefined, place: 'there' })
    expect([first.email, second.email]).toEqual(['demo@peyk.local', 'demo-there@peyk.local'])
    expect((await openDemoMember(ctx, { known: first.password, place: 'here' })).password).toBe(first.password)
    expect(await openDemoMember(ctx, { known: second.password, place: 'there' })).toMatchObject({
      email: second.email,
      password: second.password,
    })
    const signIn = ({ linkKey: key }: { linkKey: string }) =>
      signInByLink(ctx, { key, address: '::1', browser: '' }, new SignInDelay(() => 0))
    const again = await openDemoMember(ctx, { known: first.password, place: 'here' })
    await openDemoMember(ctx, { known: second.password, place: 'there' })
    expect(await signIn(again)).toMatchObject({ key: expect.any(String) })
  })

  it('gets a link that signs in, once', async () => {
    const ctx = await createTestApp(store)
    const { linkKey: key } = await openDemoMember(ctx, { known: undefined })
    const enter = () => signInByLink(ctx, { key, address: '::1', browser: '' }, new SignInDelay(() => 0))
    expect(await enter()).toMatchObject({ key: expect.any(String) })
    await expect(enter()).rejects.toMatchObject({ code: 'wrong-sign-in' })
  })
})
