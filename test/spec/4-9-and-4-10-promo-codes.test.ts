import { describe, expect, it } from 'vitest'
import { timeOrderedId } from '../../server/src/base/ids.ts'
import { takeCodes } from '../../server/src/features/promo/take-codes.ts'
import { type Answer, createTestServer } from '../helpers/service/test-server.ts'

const { call, baseUrl, token, ctx } = await createTestServer()

async function upload(path: string, text: string, part = 'file') {
  const form = new FormData()
  form.set(part, new Blob([text], { type: 'text/csv' }), 'codes.csv')
  const response = await fetch(`${baseUrl}/api/containers/${path}`, {
    method: 'POST',
    headers: { 'x-access-token': token },
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

describe('POST /api/containers/updatePromoCodes/:trackId [spec 4.9]', () => {
  it('answers 404 for a trackId that matches no campaign, as the specification shows', async () => {
    const { status, body } = await upload('updatePromoCodes/unknown', 'A-1\n')
    expect(status).toBe(404)
    expect(body.error).toMatchObject({ name: 'Error', status: 404, message: 'Invalid userPush id' })
  })

  it('replaces the set as soon as it answers', async () => {
    await call('POST', '/api/campaigns', { trackId: 'spring' })
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
    const { status, body } = await upload('updatePromoCodes/spring', 'GOOD-1\nnot a code\nGOOD-2\n"quoted"\n')
    expect(status).toBe(400)
    expect(body.error.details.lines).toEqual([2, 4])
    expect(await take('spring', 3)).toBe('NEW-2')
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

describe('POST /api/containers/updateGlobalPromoCodes [spec 4.10]', () => {
  it('answers with the app id, and serves campaigns that have no codes left', async () => {
    const { body } = await upload('updateGlobalPromoCodes', 'GLOBAL-1\nGLOBAL-2\n')
    expect(body).toMatchObject({ promoSetId: ctx.app.label, totalRows: 2 })
    expect(await take('spring', 4)).toBe('GLOBAL-1')
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
