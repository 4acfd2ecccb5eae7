import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { timeOrderedId } from '#base/ids.ts'
import { createCampaign } from './create-campaign.ts'
import { ensureCampaign } from './ensure-campaign.ts'
import { getCampaign } from './get-campaign.ts'
import { listCampaigns } from './list-campaigns.ts'

const store = await createTestStore()
const start = Date.parse('2026-11-15T10:00:00Z')

async function setUp() {
  let minutes = 0
  const ctx = await createTestApp(store, { at: () => new Date(start + minutes * 60_000) })
  const create = (trackId: string) => {
    minutes++
    return createCampaign(ctx, { trackId })
  }
  return { ctx, create }
}

describe('a campaign', () => {
  it('is created with a name, or named after its trackId', async () => {
    const { ctx } = await setUp()
    const spring = { trackId: 'spring', name: 'Spring sale', createdAt: start }
    expect(await createCampaign(ctx, { trackId: 'spring', name: 'Spring sale' })).toEqual(spring)
    expect(await createCampaign(ctx, { trackId: 'autumn' })).toMatchObject({ name: 'autumn' })
    expect(await getCampaign(ctx, { trackId: 'spring' })).toEqual({ ...spring, messages: 0, count: 0 })
  })

  it('exists once per app', async () => {
    const { ctx, create } = await setUp()
    const other = await setUp()
    await create('spring')
    await expect(create('spring')).rejects.toMatchObject({ code: 'already-exists', status: 409 })
    await other.create('spring')
    const attempts = await Promise.allSettled(
      Array.from({ length: 10 }, () => createCampaign(ctx, { trackId: 'autumn' })),
    )
    expect(attempts.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1)
  })

  it('that is ensured keeps its name, and is gone with the transaction that made it', async () => {
    const { ctx } = await setUp()
    await createCampaign(ctx, { trackId: 'spring', name: 'Spring sale' })
    await ensureCampaign(ctx, { trackId: 'spring' })
    expect(await getCampaign(ctx, { trackId: 'spring' })).toMatchObject({ name: 'Spring sale' })
    const work = store.transaction(async (tx) => {
      await ensureCampaign({ ...ctx, tx }, { trackId: 'autumn' })
      throw new Error('rolled back')
    })
    await expect(work).rejects.toThrow('rolled back')
    await expect(getCampaign(ctx, { trackId: 'autumn' })).rejects.toMatchObject({
      code: 'unknown-campaign',
      status: 404,
    })
  })

  it('of another app is unknown', async () => {
    const { create } = await setUp()
    const other = await setUp()
    await create('spring')
    await expect(getCampaign(other.ctx, { trackId: 'spring' })).rejects.toMatchObject({ status: 404 })
  })

  it('counts the messages that carry its trackId, personal ones too', async () => {
    const { ctx, create } = await setUp()
    const other = await setUp()
    await create('spring')
    await other.create('spring')
    await addMessage(ctx.app.id, 'spring', 'query', 10, start)
    await addMessage(ctx.app.id, 'spring', 'users', 2, start + 5000)
    await addMessage(ctx.app.id, 'autumn', 'users', 7, start)
    expect(await getCampaign(ctx, { trackId: 'spring' })).toMatchObject({
      messages: 2,
      count: 12,
      lastMessageAt: start + 5000,
    })
    expect(await getCampaign(other.ctx, { trackId: 'spring' })).toMatchObject({ messages: 0, count: 0 })
  })
})

describe('the list of campaigns', () => {
  it('has the newest first, page by page', async () => {
    const { ctx, create } = await setUp()
    const other = await setUp()
    await other.create('theirs')
    for (const trackId of ['a', 'b', 'c', 'd']) await create(trackId)
    for (const trackId of ['e 2', 'e 1', 'é']) await createCampaign(ctx, { trackId })
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await listCampaigns(ctx, { limit: 3, ...(cursor && { cursor }) })
      seen.push(...page.data.map((campaign) => campaign.trackId))
      cursor = page.cursor
    } while (cursor)
    expect(seen).toEqual(['é', 'e 2', 'e 1', 'd', 'c', 'b', 'a'])
    expect((await listCampaigns(ctx, {})).data).toHaveLength(7)
  })

  it('refuses a cursor that is none', async () => {
    const { ctx } = await setUp()
    for (const cursor of [
      'x',
      '',
      '%%%',
      Buffer.from('12 a\0b').toString('base64url'),
      Buffer.from('999999999999999 a').toString('base64url'),
    ]) {
      await expect(listCampaigns(ctx, { cursor })).rejects.toMatchObject({ code: 'invalid-request' })
    }
  })
})

async function addMessage(appId: number, trackId: string, audience: string, recipients: number, at: number) {
  const acceptedAt = new Date(at).toISOString()
  await store.query(sql`
    insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, track_id, client_id, body)
    values (${appId}, ${timeOrderedId(at)}, ${acceptedAt}, ${acceptedAt}, ${recipients}, 'message', ${audience}, 'default', ${trackId}, ${randomUUID()}, '{}')`)
}
