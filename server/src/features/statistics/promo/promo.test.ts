import { checker, panelCodes, panelPromo } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { addInstallation } from '../../events/events.test-support.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { forgetUser } from '../../promo/forget-user.ts'
import { createCampaign, replace, take } from '../../promo/promo.test-support.ts'
import { findGivenCodes } from './find-given-codes.ts'
import { showPromo } from './show-promo.ts'

const store = await createTestStore()
const codes = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}\n`).join('')

describe('promo codes', () => {
  it('are shown by set, with those that run low', async () => {
    const ctx = await createTestApp(store)
    expect(await showPromo(ctx, {})).toEqual({ sets: [] })
    await createCampaign(ctx, 'spring')
    await createCampaign(ctx, 'autumn')
    await replace(ctx, 'spring', codes('S', 1100))
    await replace(ctx, 'autumn', codes('A', 50))
    await replace(ctx, undefined, codes('G', 500))
    await take(ctx, [1, 2], { trackId: 'autumn' })
    const answer = await showPromo(ctx, {})
    expect(checker(panelPromo.answer)(answer).fault).toBeUndefined()
    expect(answer.global).toMatchObject({ codes: 500, left: 500, given: 0, isLow: false, lowBelow: 100 })
    expect(answer.global).not.toHaveProperty('trackId')
    expect(answer.sets).toMatchObject([
      { trackId: 'autumn', campaignName: 'autumn', codes: 50, given: 2, left: 48, isLow: true },
      { trackId: 'spring', codes: 1100, left: 1100, lowBelow: 110, isLow: false },
    ])
    await replace(ctx, 'autumn', codes('B', 5))
    expect((await showPromo(ctx, {})).sets).toHaveLength(2)
    expect(await showPromo(await createTestApp(store), {})).toEqual({ sets: [] })
    await expect(showPromo(ctx, { cursor: 'x' })).rejects.toMatchObject({ code: 'invalid-request' })
  })
})

describe('a code', () => {
  it('is found with whom it was given to, when and with which message; and by that user', async () => {
    const ctx = await createTestApp(store)
    const { userNo } = await userOf(ctx, 'sara')
    const { id } = (await sendByQuery(ctx, {
      ...{ target: {}, content: 'x', trackId: 'spring', notification: { title: 'Spring' } },
    })) as { id: string }
    await replace(ctx, 'spring', 'A-1\nA-2\n')
    await take(ctx, [userNo], { trackId: 'spring', messageId: id })
    const found = await findGivenCodes(ctx, { code: ' A-1 ' })
    expect(checker(panelCodes.answer)(found).fault).toBeUndefined()
    const given = { code: 'A-1', userId: 'sara', messageId: id, title: 'Spring', trackId: 'spring' }
    expect(found).toEqual({ data: [{ ...given, givenAt: expect.any(Number) }] })
    expect((await findGivenCodes(ctx, { user: 'sara' })).data).toMatchObject([given])
    expect(await findGivenCodes(ctx, { user: 'nobody' })).toEqual({ data: [] })
    const other = await createTestApp(store)
    expect(await findGivenCodes(other, { code: 'A-1' })).toEqual({ data: [], unusedIn: [] })
  })

  it('that nobody has yet is found in the sets it waits in', async () => {
    const ctx = await createTestApp(store)
    await createCampaign(ctx, 'spring')
    await replace(ctx, 'spring', 'A-1\n')
    await replace(ctx, undefined, 'A-1\nB-1\n')
    expect(await findGivenCodes(ctx, { code: 'A-1' })).toEqual({ data: [], unusedIn: ['', 'spring'] })
    expect(await findGivenCodes(ctx, { code: 'B-1' })).toEqual({ data: [], unusedIn: [''] })
    expect(await findGivenCodes(ctx, { code: 'a-1' })).toEqual({ data: [], unusedIn: [] })
  })

  it('of a forgotten user names nobody', async () => {
    const ctx = await createTestApp(store)
    const { userNo } = await userOf(ctx, 'sara')
    await replace(ctx, undefined, 'A-1\n')
    await take(ctx, [userNo])
    await store.transaction((tx) =>
      forgetUser(tx, { appId: ctx.app.id, userId: 'sara', userNos: [userNo], installationNos: [] } as never),
    )
    expect(await findGivenCodes(ctx, { code: 'A-1' })).toEqual({ data: [{ code: 'A-1', givenAt: expect.any(Number) }] })
  })

  it('is asked for by code or by user, not by both or neither', async () => {
    const ctx = await createTestApp(store)
    for (const query of [{}, { code: ' ' }, { code: 'A', user: 'sara' }]) {
      await expect(findGivenCodes(ctx, query)).rejects.toMatchObject({ code: 'invalid-request' })
    }
  })
})

async function userOf(ctx: Awaited<ReturnType<typeof createTestApp>>, userId: string) {
  await addInstallation(ctx, userId)
  const [row] = await store.query<{ user_no: number }>(
    sql`select user_no from users where app_id = ${ctx.app.id} and user_id = ${userId}`,
  )
  return { userNo: row?.user_no as number }
}
