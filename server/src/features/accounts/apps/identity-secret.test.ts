import { randomBytes } from 'node:crypto'
import { createTestApp, createTestStore, createTestToken } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { createSecretBox } from '#base/secrets/secret-box.ts'
import { clientOfToken } from '../access-tokens/client-of-token.ts'
import { type AccessToken, findToken } from '../access-tokens/find-token.ts'
import { changeApp } from './change-app.ts'
import { getOwnApp } from './get-own-app.ts'
import { replaceIdentitySecret } from './replace-identity-secret.ts'
import { resealIdentitySecrets } from './reseal-identity-secrets.ts'

const store = await createTestStore()

async function secretSeenBy(ctx: Context): Promise<string | undefined> {
  const token = await findToken(store, await createTestToken(ctx, ['client']))
  return clientOfToken(ctx, token as AccessToken)?.identitySecret
}

describe('identity verification', () => {
  it('is off until it is switched on, which makes a secret that is answered once', async () => {
    const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
    expect(await getOwnApp(ctx)).toMatchObject({ identityVerification: false })
    expect(await secretSeenBy(ctx)).toBeUndefined()
    const { identitySecret, identityVerification } = await changeApp(ctx, { identityVerification: true })
    expect({ identitySecret, identityVerification }).toEqual({
      identitySecret: expect.stringMatching(/^idsec_[0-9a-f]{64}$/),
      identityVerification: true,
    })
    expect(await getOwnApp(ctx)).not.toHaveProperty('identitySecret')
    const again = await changeApp(ctx, { identityVerification: true, name: 'Shop' })
    expect(again).not.toHaveProperty('identitySecret')
    expect(await secretSeenBy(ctx)).toBe(identitySecret)
    expect(await secretSeenBy(other)).toBeUndefined()
  })

  it('is stored sealed, and is no part of what a back end is held to', async () => {
    const ctx = await createTestApp(store)
    const { identitySecret } = await changeApp(ctx, { identityVerification: true })
    const [row] = await store.query<{ settings: object }>(sql`select settings from apps where app_id = ${ctx.app.id}`)
    expect(JSON.stringify(row?.settings)).not.toContain(identitySecret)
    const backEnd = await findToken(store, await createTestToken(ctx, ['server', 'client']))
    expect(clientOfToken(ctx, backEnd as AccessToken)).toBeUndefined()
  })

  it('gets another secret, and none when it is off', async () => {
    const ctx = await createTestApp(store)
    await expect(replaceIdentitySecret(ctx)).rejects.toMatchObject({ code: 'invalid-request' })
    const { identitySecret: first } = await changeApp(ctx, { identityVerification: true })
    const { identitySecret: second } = await replaceIdentitySecret(ctx)
    expect(second).not.toBe(first)
    expect(await secretSeenBy(ctx)).toBe(second)
    expect(await changeApp(ctx, { identityVerification: false })).toMatchObject({ identityVerification: false })
    expect(await secretSeenBy(ctx)).toBeUndefined()
    expect((await changeApp(ctx, { identityVerification: true })).identitySecret).not.toBe(second)
  })

  it('answers one secret when it is switched on several times at once', async () => {
    const ctx = await createTestApp(store)
    const answers = await Promise.all(Array.from({ length: 5 }, () => changeApp(ctx, { identityVerification: true })))
    const secrets = answers.flatMap(({ identitySecret }) => identitySecret ?? [])
    expect(secrets).toEqual([await secretSeenBy(ctx)])
  })

  it('stays on for a process that cannot open the secret, and lets nobody in there', async () => {
    const ctx = await createTestApp(store)
    const { identitySecret } = await changeApp(ctx, { identityVerification: true })
    const external = { ...ctx.external, secretBox: createSecretBox([randomBytes(32)]) }
    const seen = await secretSeenBy({ ...ctx, external })
    expect(seen).toMatch(/^[0-9a-f]{64}$/)
    expect(seen).not.toBe(identitySecret)
  })

  it('keeps its secret when the key that seals is changed', async () => {
    const own = await createTestStore()
    const [before, after] = [randomBytes(32), randomBytes(32)]
    const ctx = await createTestApp(own)
    const sealing = (...keys: Buffer[]) => ({ ...ctx, external: { ...ctx.external, secretBox: createSecretBox(keys) } })
    const { identitySecret } = await changeApp(sealing(before), { identityVerification: true })
    expect(await resealIdentitySecrets(sealing(after))).toEqual({
      count: 0,
      unreadable: [`the identity secret of the app ${ctx.app.label}`],
    })
    expect(await resealIdentitySecrets(sealing(after, before))).toEqual({ count: 1, unreadable: [] })
    const token = await findToken(own, await createTestToken(ctx, ['client']))
    expect(clientOfToken(sealing(after), token as AccessToken)?.identitySecret).toBe(identitySecret)
  })
})
