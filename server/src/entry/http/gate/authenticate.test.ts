import { createTestApp, createTestStore, createTestToken } from '@peyk/test/database/test-store.ts'
import { until } from '@peyk/test/runner/until.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { busOf } from '#base/bus/bus.ts'
import type { Context } from '#base/context.ts'
import { openStore, type Store } from '#base/store/store.ts'
import { clientOfToken } from '#features/accounts/access-tokens/client-of-token.ts'
import { changeApp } from '#features/accounts/apps/change-app.ts'
import { hearIdentityChanges } from '#features/accounts/apps/identity-change.ts'
import { replaceIdentitySecret } from '#features/accounts/apps/replace-identity-secret.ts'
import { Authenticator } from './authenticate.ts'

const store = await createTestStore()
const elsewhere = openStore(store.url, { poolSize: 2 })
afterAll(() => elsewhere.close())
/** What is remembered stays so: nothing is looked up again because time has passed. */
const standingClock = () => 0

async function createClient(at: Store = store) {
  const ctx = await createTestApp(store)
  const key = await createTestToken(ctx, ['client'])
  const authenticator = new Authenticator(at, standingClock)
  const secret = async () => clientOfToken(ctx, await authenticator.find(key))?.identitySecret
  return { ctx, key, authenticator, secret }
}

describe('an identity secret that changes', () => {
  it('counts at once in the process that changed it', async () => {
    const { ctx, secret } = await createClient()
    expect(await secret()).toBeUndefined()
    const { identitySecret: first } = await changeApp(ctx, { identityVerification: true })
    expect(await secret()).toBe(first)
    const { identitySecret: second } = await replaceIdentitySecret(ctx)
    expect(await secret()).toBe(second)
    await changeApp(ctx, { identityVerification: false })
    expect(await secret()).toBeUndefined()
  })

  it('counts as soon as it is committed, when it belongs to a larger transaction', async () => {
    const { ctx, secret } = await createClient()
    const { identitySecret: first } = await changeApp(ctx, { identityVerification: true })
    const { identitySecret: second } = await store.transaction(async (tx) => {
      const replaced = await replaceIdentitySecret({ ...ctx, tx } as Context)
      expect(await secret()).toBe(first)
      return replaced
    })
    expect(await secret()).toBe(second)
  })

  it('is told to other processes', async () => {
    const stop = hearIdentityChanges(elsewhere)
    await until(
      () => busOf(elsewhere).isOpen,
      (isOpen) => isOpen,
    )
    const { ctx, secret } = await createClient(elsewhere)
    expect(await secret()).toBeUndefined()
    const { identitySecret } = await changeApp(ctx, { identityVerification: true })
    await until(secret, (seen) => seen === identitySecret)
    stop()
  })

  it('leaves what is remembered of other apps', async () => {
    const { ctx } = await createClient()
    const other = await createClient()
    const remembered = await other.authenticator.find(other.key)
    await changeApp(ctx, { identityVerification: true })
    expect(other.authenticator.find(other.key)).toBe(remembered)
  })
})
