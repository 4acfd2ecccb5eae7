import { createTestStore, silentLog } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { beforeEach, expect, it } from 'vitest'
import { timeOrderedId } from '#base/ids.ts'
import { fillDetailCodes } from './fill-detail-codes.ts'
import { oldSentences } from './old-sentences.ts'

const store = await createTestStore()
const monthMs = 31 * 86_400_000

beforeEach(async () => {
  await store.query(sql`delete from deliveries`)
  await store.query(sql`delete from detail_code_fills`)
  await store.query(sql`insert into detail_code_fills default values`)
})

/** As versions without codes stored it; over two apps and two months. */
async function storeOld(details: readonly (string | null)[]): Promise<void> {
  const messageIds = [timeOrderedId(new Date()), timeOrderedId(new Date(Date.now() - monthMs))]
  for (const [index, detail] of details.entries()) {
    await store.query(sql`
      insert into deliveries (app_id, message_id, installation_no, state, detail)
      values (${(index % 2) + 1}, ${messageIds[(index >> 1) % 2]}, ${index + 1}, 'ended', ${detail})`)
  }
}

async function readCodes() {
  return store.query<{ detail: string | null; detail_code: string | null; detail_provider: string | null }>(sql`
    select detail, detail_code, detail_provider from deliveries order by installation_no`)
}

it('turns every sentence of older versions into its code, and leaves the words of others', async () => {
  const sentences = [...oldSentences.keys()]
  await storeOld([...sentences, '404 UNREGISTERED', null])
  await fillDetailCodes({ store, log: silentLog, rowsPerStep: 4 })
  expect(await readCodes()).toEqual([
    ...sentences.map((sentence) => {
      const said = oldSentences.get(sentence)
      return { detail: null, detail_code: said?.code, detail_provider: said?.provider }
    }),
    { detail: '404 UNREGISTERED', detail_code: null, detail_provider: null },
    { detail: null, detail_code: null, detail_provider: null },
  ])
})

it('goes on where it was stopped, and does nothing when all is done', async () => {
  await storeOld(Array.from({ length: 10 }, () => 'another user is logged in by now'))
  const stopping = new AbortController()
  let steps = 0
  const stopsAfterTwo = {
    ...store,
    transaction: (run: Parameters<typeof store.transaction>[0]) => {
      if (++steps === 2) stopping.abort()
      return store.transaction(run)
    },
  } as typeof store
  await fillDetailCodes({ store: stopsAfterTwo, log: silentLog, signal: stopping.signal, rowsPerStep: 3 })
  const codes = async () => (await readCodes()).filter(({ detail_code }) => detail_code !== null).length
  expect(await codes()).toBe(6)
  await fillDetailCodes({ store, log: silentLog, rowsPerStep: 3 })
  expect(await codes()).toBe(10)
  await store.query(sql`update deliveries set detail = 'it is live and the app is open', detail_code = null`)
  await fillDetailCodes({ store, log: silentLog })
  expect(await codes()).toBe(0)
})
