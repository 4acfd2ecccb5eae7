import { leaveMessage } from '@peyk/test/connection.ts'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { resumeAllSending } from '../control/resume-all-sending.ts'
import { stopAllSending } from '../control/stop-all-sending.ts'
import { readFresh } from './read-fresh.ts'

const store = await createTestStore()

async function prepare() {
  const ctx = await createTestApp(store)
  const { id } = await registerInstallation(ctx, { deviceType: 'android', userId: 'ali', isGuest: false })
  const [row] = await store.query<{ installation_no: number; user_no: number }>(
    sql`select installation_no, user_no from installations where app_id = ${ctx.app.id}`,
  )
  const { installation_no: installationNo, user_no: userNo } = row as { installation_no: number; user_no: number }
  const read = async (messageId: string, more: { userNo?: number; without?: string[] } = {}) => {
    const asked = { appId: ctx.app.id, messageId, installationNos: [installationNo] }
    const users = { userNos: [more.userNo ?? userNo], withouts: [more.without ?? []] }
    return (await readFresh(ctx, [{ ...asked, ...users }])).get(messageId)
  }
  const leave = (body: Record<string, unknown> = { content: 'hello' }) =>
    leaveMessage(ctx, id, { isNotified: false, body })
  return { ctx, installationNo, userNo, leave, read }
}

it('what has just come into an inbox is read once for all, and again from memory', async () => {
  const { leave, read } = await prepare()
  const id = await leave()
  for (let round = 0; round < 2; round++) {
    const found = await read(id)
    expect(found).toMatchObject({ changed: new Set(), behind: new Set(), sendable: { channel: 'default' } })
    expect(JSON.parse(String(found?.sendable?.body))).toMatchObject({ id, content: 'hello' })
  }
})

it('who is logged in as another by now, and for whom something older waits, is said', async () => {
  const { installationNo, userNo, leave, read } = await prepare()
  const [first, second] = [await leave(), await leave()]
  expect((await read(first, { userNo: userNo + 1 }))?.changed).toEqual(new Set([installationNo]))
  expect((await read(second))?.behind).toEqual(new Set([installationNo]))
  expect((await read(second, { without: [first] }))?.behind).toEqual(new Set())
})

it('what was cancelled or has expired is not there', async () => {
  const { ctx, leave, read } = await prepare()
  const [cancelled, expired] = [await leave(), await leave()]
  await store.query(sql`update messages set cancelled_at = now() where app_id = ${ctx.app.id} and id = ${cancelled}`)
  await store.query(sql`update messages set expires_at = now() where app_id = ${ctx.app.id} and id = ${expired}`)
  expect(await read(cancelled)).toBeUndefined()
  expect(await read(expired)).toBeUndefined()
})

it('nothing is there while all sending is stopped', async () => {
  const { ctx, leave, read } = await prepare()
  const id = await leave()
  await stopAllSending(ctx)
  expect(await read(id)).toBeUndefined()
  await resumeAllSending(ctx)
  expect(await read(id)).toBeDefined()
})

it('a message in several languages has to be read for each inbox', async () => {
  const { leave, read } = await prepare()
  const id = await leave({ content: 'Hello', contents: { fa: { content: 'سلام' } } })
  expect(await read(id)).toMatchObject({ sendable: undefined })
})
