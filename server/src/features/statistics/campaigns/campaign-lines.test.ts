import { checker, panelCampaign, panelCampaigns } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createCampaign } from '../../campaigns/create-campaign.ts'
import { addDeliveries, addInstallation } from '../../events/events.test-support.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { replace, take } from '../../promo/promo.test-support.ts'
import { describeCampaign } from './describe-campaign.ts'
import { listCampaignLines } from './list-campaign-lines.ts'

const store = await createTestStore()

async function setUp() {
  const ctx = await createTestApp(store)
  await addInstallation(ctx, 'sara')
  const send = async (trackId: string) =>
    (await sendByQuery(ctx, { target: {}, content: 'Hello', trackId })) as { id: string }
  return { ctx, send }
}

describe('the list of campaigns', () => {
  it('has the sums of their messages, kept or not, what followed and the codes that are left', async () => {
    const { ctx, send } = await setUp()
    const other = await setUp()
    await other.send('spring')
    await createCampaign(ctx, { trackId: 'empty', name: 'Nothing yet' })
    const { id } = await send('spring')
    await send('spring')
    await replace(ctx, 'spring', 'A\nB\nB\nC\n')
    await take(ctx, [1], { trackId: 'spring' })
    await store.query(sql`
      insert into campaign_counters (app_id, track_id, state, count)
      values (${ctx.app.id}, 'spring', 'messages', 4), (${ctx.app.id}, 'spring', 'recipients', 40), (${ctx.app.id}, 'spring', 'opened', 7)`)
    await store.query(sql`
      insert into influence_counters (app_id, message_id, currency, track_id, events, direct_events, revenue)
      values (${ctx.app.id}, ${id}, '', 'spring', 3, 1, 0), (${ctx.app.id}, ${id}, 'EUR', 'spring', 1, 0, 9.5)`)
    const answer = await listCampaignLines(ctx, {})
    expect(checker(panelCampaigns.answer)(answer).fault).toBeUndefined()
    const [spring, empty] = answer.data
    expect(spring).toMatchObject({
      ...{ trackId: 'spring', messages: 6, isMore: false, count: 42, codesLeft: 2, isLow: true },
      lastMessageAt: expect.any(Number),
      states: { queued: 2, opened: 7, shown: 7, sent: 7 },
      influenced: { events: 4, directEvents: 1, revenue: { EUR: 9.5 } },
    })
    expect(empty).toMatchObject({ name: 'Nothing yet', messages: 0, count: 0, influenced: { events: 0, revenue: {} } })
    expect(empty).not.toHaveProperty('codesLeft')
    const [theirs] = (await listCampaignLines(other.ctx, {})).data
    expect(theirs).toMatchObject({ messages: 1, count: 1 })
  })

  it('is searched by name and trackId, and goes on from a cursor', async () => {
    const { ctx } = await setUp()
    for (const name of ['One', 'Two', 'Three'])
      await createCampaign(ctx, { trackId: `t-${name}`, name: `${name} sale` })
    const names = async (query: object) => (await listCampaignLines(ctx, query)).data.map(({ name }) => name)
    expect(await names({ search: 'T-ONE' })).toEqual(['One sale'])
    expect(await names({ search: 'two s' })).toEqual(['Two sale'])
    expect(await names({ search: '%' })).toEqual([])
    const first = await listCampaignLines(ctx, { limit: 2 })
    expect(await names({ limit: 2, cursor: first.cursor })).toHaveLength(1)
    await expect(names({ cursor: 'x' })).rejects.toMatchObject({ code: 'invalid-request' })
  })

  it('counts the latest 200 messages of a campaign that has more', async () => {
    const { ctx, send } = await setUp()
    await send('spring')
    await store.query(sql`
      insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, track_id, body)
      select app_id, gen_random_uuid(), accepted_at, expires_at, 1, product, 'users', channel, track_id, body
      from messages cross join generate_series(1, 250) where app_id = ${ctx.app.id}`)
    expect((await listCampaignLines(ctx, {})).data[0]).toMatchObject({ messages: 200, isMore: true })
  })
})

describe('a campaign', () => {
  it('counts deliveries, and each device and user that it reached once', async () => {
    const { ctx, send } = await setUp()
    const phones = [await addInstallation(ctx, 'sara'), await addInstallation(ctx, 'omid')]
    for (const sent of [phones, phones, phones.slice(1)]) await addDeliveries(ctx, (await send('spring')).id, sent)
    await send('other')
    const { count, messages, reached, states, lines, at } = await describeCampaign(ctx, { trackId: 'spring' })
    expect({ count, messages, reached, sent: states.sent }).toEqual({
      ...{ count: 9, messages: 3, sent: 5 },
      reached: { devices: 2, users: 2 },
    })
    expect(at).toBeGreaterThan(0)
    const sumOf = (read: (line: (typeof lines.data)[number]) => number) =>
      lines.data.reduce((sum, line) => sum + read(line), 0)
    expect([sumOf((line) => line.count), sumOf((line) => line.states.sent)]).toEqual([count, states.sent])
    await store.query(sql`
      insert into campaign_counters (app_id, track_id, state, count) values (${ctx.app.id}, 'spring', 'messages', 1)`)
    expect(await describeCampaign(ctx, { trackId: 'spring' })).not.toHaveProperty('reached')
  })

  it('has its sums, its codes and what the global set still has', async () => {
    const { ctx, send } = await setUp()
    await send('spring')
    expect(await describeCampaign(ctx, { trackId: 'spring' })).not.toHaveProperty('promo')
    await replace(ctx, undefined, 'G-1\nG-2\n')
    await take(ctx, [7])
    await replace(ctx, 'spring', 'A\nA\nG-1\n')
    const campaign = await describeCampaign(ctx, { trackId: 'spring' })
    expect(checker(panelCampaign.answer)(campaign).fault).toBeUndefined()
    expect(campaign).toMatchObject({
      ...{ messages: 1, count: 1, globalLeft: 1 },
      promo: { totalRows: 3, codes: 2, duplicates: 1, alreadyUsed: 1, given: 0, left: 1, isLow: false },
    })
    const other = await setUp()
    await expect(describeCampaign(other.ctx, { trackId: 'spring' })).rejects.toMatchObject({ code: 'unknown-campaign' })
  })
})
