import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { describe, expect, it } from 'vitest'
import { changeOrigins } from './change-origins.ts'
import { createToken } from './create-token.ts'
import { findToken } from './find-token.ts'

const store = await createTestStore()

describe('the pages that may use a client key', () => {
  it('change, and are all pages when none is named', async () => {
    const ctx = await createTestApp(store)
    const { id, token } = await createToken(ctx, { name: 'web', scopes: ['client'] })
    const changed = await changeOrigins(ctx, { id, origins: ['https://Shop.example/', 'https://shop.example'] })
    expect(changed).toMatchObject({ id, name: 'web', origins: ['https://shop.example'] })
    expect((await findToken(store, token))?.origins).toEqual(['https://shop.example'])
    expect((await changeOrigins(ctx, { id, origins: [] })).origins).toBeUndefined()
    expect((await findToken(store, token))?.origins).toBeUndefined()
  })

  it('are those of a client key of this app', async () => {
    const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
    const server = await createToken(ctx, { name: 'back end', scopes: ['server'] })
    const theirs = await createToken(other, { name: 'web', scopes: ['client'] })
    const change = (id: string, origins = ['https://shop.example']) => changeOrigins(ctx, { id, origins })
    await expect(change(server.id)).rejects.toMatchObject({ code: 'invalid-request' })
    await expect(change(theirs.id)).rejects.toMatchObject({ code: 'not-found' })
    await expect(change('x')).rejects.toMatchObject({ code: 'not-found' })
    const mine = await createToken(ctx, { name: 'web', scopes: ['client'] })
    await expect(change(mine.id, ['shop'])).rejects.toMatchObject({ code: 'invalid-request' })
  })
})
