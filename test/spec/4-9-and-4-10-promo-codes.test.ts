import { timeOrderedId } from '@peyk/server/base/ids.ts'
import { takeCodes } from '@peyk/server/features/promo/take-codes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { story } from '../helpers/runner/story.ts'
import { type Answer, createTestServer } from '../helpers/service/test-server.ts'

const { call, baseUrl, token, ctx } = await createTestServer()

async function upload(path: string, text: string, part = 'file', headers: Record<string, string> = {}) {
  const form = new FormData()
  form.set(part, new Blob([text], { type: 'text/csv' }), 'codes.csv')
  const response = await fetch(`${baseUrl}/api/containers/${path}`, {
    method: 'POST',
    headers: { 'x-access-token': token, ...headers },
    body: form,
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

const take = (trackId: string | undefined, userNo: number) =>
  ctx.store.transaction(async (tx) => {
    const messageId = timeOrderedId(ctx.now())
    const codes = await takeCodes(tx, {
      appId: ctx.app.id,
      messageId,
      userNos: [userNo],
      ...(trackId !== undefined && { trackId }),
    })
    return codes.get(userNo)
  })

const addCampaign = (trackId: string) => call('POST', '/api/campaigns', { trackId })

describe('POST /api/containers/updatePromoCodes/:trackId [interface.md#49-upload-promo-codes-for-a-campaign]', () => {
  beforeAll(() => addCampaign('spring'))

  it('answers 404 for a trackId that matches no campaign, as the specification shows', async () => {
    const { status, body } = await upload('updatePromoCodes/unknown', 'A-1\n')
    expect(status).toBe(404)
    expect(body.error).toMatchObject({ name: 'Error', status: 404, message: 'Invalid userPush id' })
  })

  it('replaces the set as soon as it answers', async () => {
    const first = await upload('updatePromoCodes/spring', '\ufeffOLD-1\r\nOLD-2\r\n\r\nOLD-2\r\n')
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ promoSetId: expect.any(String), totalRows: 3, duplicates: 1 })
    expect(await take('spring', 1)).toBe('OLD-1')
    const second = await upload('updatePromoCodes/spring', 'NEW-1\nNEW-2')
    expect(second.body).toMatchObject({ totalRows: 2 })
    expect(second.body.promoSetId).not.toBe(first.body.promoSetId)
    expect(await take('spring', 2)).toBe('NEW-1')
  })

  it('keeps the old set when a line is no code, and names the lines', async () => {
    await addCampaign('summer')
    await upload('updatePromoCodes/summer', 'KEPT-1')
    const { status, body } = await upload('updatePromoCodes/summer', 'GOOD-1\nnot a code\nGOOD-2\n"quoted"\n')
    expect(status).toBe(400)
    expect(body.error.details.lines).toEqual([2, 4])
    expect(await take('summer', 3)).toBe('KEPT-1')
  })

  it.each([
    ['an empty file', '', 'file'],
    ['blank lines only', '\n\n\r\n', 'file'],
    ['another part', 'A-1', 'data'],
  ])('refuses %s', async (_title, text, part) => {
    expect((await upload('updatePromoCodes/spring', text, part)).status).toBe(400)
  })

  it('refuses what is not multipart', async () => {
    expect((await call('POST', '/api/containers/updatePromoCodes/spring', { file: 'A-1' })).status).toBe(415)
  })
})

story('POST /api/containers/updateGlobalPromoCodes [interface.md#410-upload-global-promo-codes]', () => {
  it('answers with the app id, and serves campaigns that have no codes left', async () => {
    const { body } = await upload('updateGlobalPromoCodes', 'GLOBAL-1\nGLOBAL-2\n')
    expect(body).toMatchObject({ promoSetId: ctx.app.label, totalRows: 2 })
    await addCampaign('winter')
    expect(await take('winter', 4)).toBe('GLOBAL-1')
    expect(await take(undefined, 5)).toBe('GLOBAL-2')
    expect(await take(undefined, 6)).toBeUndefined()
  })

  it('counts codes that were given before, and never gives them again', async () => {
    const { body } = await upload('updateGlobalPromoCodes', 'GLOBAL-1\nFRESH-1\n')
    expect(body).toMatchObject({ totalRows: 2, alreadyUsed: 1 })
    expect(await take(undefined, 7)).toBe('FRESH-1')
    expect(await take(undefined, 8)).toBeUndefined()
  })
})

describe('uploads, further than the specification', () => {
  const campaign = (query: string) => `updatePromoCodes/autumn${query}`
  beforeAll(() => addCampaign('autumn'))

  it('add to what is there with mode=add', async () => {
    const first = await upload(campaign('?mode=replace'), 'B-1\nB-2\n')
    expect(first.body).toEqual({ promoSetId: expect.any(String), totalRows: 2, duplicates: 0, alreadyUsed: 0 })
    const second = await upload(campaign('?mode=add'), 'A-1\nB-1\n')
    expect(second.body).toEqual({ ...first.body, totalRows: 2, alreadyThere: 1 })
    const codes = [await take('autumn', 1), await take('autumn', 2), await take('autumn', 3)]
    expect(codes).toEqual(['A-1', 'B-1', 'B-2'])
    expect((await upload('updateGlobalPromoCodes?mode=add', 'G-1\n')).body).toMatchObject({ alreadyThere: 0 })
    expect((await upload('updatePromoCodes/unknown?mode=add', 'A-1\n')).status).toBe(404)
  })

  it('leave out a header and wrong lines when they are told to, and only then', async () => {
    const file = 'code\nC-1\nC 2\n'
    expect((await upload(campaign(''), file)).status).toBe(400)
    expect((await upload(campaign('?hasHeader=true'), file)).body.error.details.lines).toEqual([3])
    const taken = await upload(campaign('?hasHeader=true&leaveOutBadLines=true'), file)
    expect(taken.body).toMatchObject({ totalRows: 1, leftOut: 1 })
    expect((await upload(campaign('?leaveOutBadLines=true'), file)).body).toMatchObject({ totalRows: 2, leftOut: 1 })
  })

  it('refuse another mode, and name the field', async () => {
    const { status, body } = await upload(campaign('?mode=merge'), 'A\n')
    expect(status).toBe(400)
    expect(body.error.details.field).toBe('mode')
  })

  it('are others for an idempotency key when they are read otherwise', async () => {
    const key = { 'idempotency-key': 'autumn-1' }
    const first = await upload(campaign('?mode=add'), 'K-1\n', 'file', key)
    expect(first.status).toBe(200)
    expect((await upload(campaign('?mode=add'), 'K-1\n', 'file', key)).body).toEqual(first.body)
    expect((await upload(campaign(''), 'K-1\n', 'file', key)).status).toBe(422)
  })
})
