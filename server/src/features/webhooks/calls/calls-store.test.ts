import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { endCalls, type SettledCall } from './calls-store.ts'

const store = await createTestStore()

it.each([true, false])(
  'what came of a call that another holds by now is not stored, be it a success: %s',
  async (isSuccess) => {
    const { app } = await createTestApp(store)
    const [holder, other, webhookId, eventId] = Array.from({ length: 4 }, () => randomUUID()) as [
      string,
      string,
      string,
      string,
    ]
    const [row] = await store.query<{ call_no: number }>(sql`
    insert into webhook_calls (app_id, webhook_id, event_id, kind, happened_at, body, lease_holder)
    values (${app.id}, ${webhookId}, ${eventId}, 'user.new', now(), '{}', ${other}) returning call_no`)
    const call: SettledCall = {
      ...{ appId: app.id, webhookId, eventId, callNo: row?.call_no as number, isSuccess, nextTryMs: 0 },
      ...{ at: new Date(), kind: 'user.new', status: isSuccess ? 204 : 500, detail: '', tookMs: 1 },
    }
    const end = (by: string) => store.transaction((tx) => endCalls(tx, by, [call]))
    const readCalls = () =>
      store.query(sql`select attempts, lease_holder as holder from webhook_calls where app_id = ${app.id}`)
    expect(await end(holder)).toEqual([])
    expect(await readCalls()).toEqual([{ attempts: 0, holder: other }])
    expect(await end(other)).toMatchObject([{ state: isSuccess ? 'done' : 'waiting' }])
    expect(await readCalls()).toEqual(isSuccess ? [] : [{ attempts: 1, holder: null }])
  },
)
