import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { limits } from '#base/config.ts'
import { addInstallation } from '../../messages/installation-rows.test-support.ts'
import { deleteDraft } from './delete-draft.ts'
import { forgetUser } from './forget-user.ts'
import { getDraft } from './get-draft.ts'
import { listDrafts } from './list-drafts.ts'
import { renameDraft } from './rename-draft.ts'
import { saveDraft } from './save-draft.ts'
import { sendDraft } from './send-draft.ts'

const store = await createTestStore()
const start = Date.parse('2026-11-15T10:00:00Z')

async function setUp() {
  let minutes = 0
  const app = await createTestApp(store, { at: () => new Date(start + minutes++ * 60_000) })
  const as = (name: string) => ({ ...app, member: { id: randomUUID(), email: `${name}@shop.example`, role: 'admin' } })
  return { app, sara: as('sara'), omid: as('omid') }
}

const draftOf = (content: string, version = 0, editorId: string = randomUUID()) => ({
  ...{ version, name: content, isNamed: false, editorId, formVersion: 1 },
  form: { product: 'message', content } as Record<string, unknown>,
})

describe('a draft', () => {
  it('is made under the id that its page chose, and read back', async () => {
    const { sara, omid } = await setUp()
    const id = randomUUID()
    const line = { id, name: 'Hello', isNamed: false, version: 1, updatedBy: 'sara@shop.example' }
    expect(await saveDraft(sara, { id, ...draftOf(' Hello ') })).toMatchObject(line)
    expect(await getDraft(omid, { id })).toMatchObject({ ...line, formVersion: 1, form: { content: ' Hello ' } })
  })

  it('is not written over by who has not seen the last version', async () => {
    const { sara, omid } = await setUp()
    const id = randomUUID()
    await saveDraft(sara, { id, ...draftOf('one') })
    expect(await saveDraft(omid, { id, ...draftOf('two', 1) })).toMatchObject({ version: 2 })
    const conflict = { code: 'changed-meanwhile', details: { version: 2, updatedBy: 'omid@shop.example' } }
    await expect(saveDraft(sara, { id, ...draftOf('three', 1) })).rejects.toMatchObject(conflict)
    await expect(saveDraft(sara, { id, ...draftOf('three') })).rejects.toMatchObject(conflict)
    expect(await getDraft(sara, { id })).toMatchObject({ name: 'two', version: 2 })
  })

  it('is saved again by the page that saved it last, also when the answer was lost', async () => {
    const { sara, omid } = await setUp()
    const [id, page] = [randomUUID(), randomUUID()]
    await saveDraft(sara, { id, ...draftOf('one', 0, page) })
    expect(await saveDraft(sara, { id, ...draftOf('one more', 0, page) })).toMatchObject({ version: 2 })
    expect(await saveDraft(sara, { id, ...draftOf('two', 1, page) })).toMatchObject({ version: 3 })
    await expect(saveDraft(sara, { id, ...draftOf('three', 1) })).rejects.toMatchObject({ code: 'changed-meanwhile' })
    expect(await saveDraft(sara, { id, ...draftOf('two', 1) })).toMatchObject({ version: 4 })
    await expect(saveDraft(omid, { id, ...draftOf('two', 1) })).rejects.toMatchObject({ code: 'changed-meanwhile' })
  })

  it('is saved by one of two who save at once', async () => {
    const { sara, omid } = await setUp()
    const id = randomUUID()
    await saveDraft(sara, { id, ...draftOf('one') })
    const both = [sara, omid].map((who, index) => saveDraft(who, { id, ...draftOf(`by ${index}`, 1) }))
    expect((await Promise.allSettled(both)).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('that was deleted is not made again by a save that comes late', async () => {
    const { sara } = await setUp()
    const id = randomUUID()
    await saveDraft(sara, { id, ...draftOf('one') })
    expect(await deleteDraft(sara, { id })).toEqual({ id, name: 'one' })
    await expect(saveDraft(sara, { id, ...draftOf('two', 1) })).rejects.toMatchObject({ code: 'not-found' })
    for (const verb of [getDraft, deleteDraft])
      await expect(verb(sara, { id })).rejects.toMatchObject({ code: 'not-found' })
    await expect(renameDraft(sara, { id, name: 'x' })).rejects.toMatchObject({ code: 'not-found' })
  })

  it('has a name that somebody gave, until then one of its text', async () => {
    const { sara, omid } = await setUp()
    const id = randomUUID()
    await saveDraft(sara, { id, ...draftOf('one') })
    const renamed = { name: 'Spring', isNamed: true, version: 2, updatedBy: 'omid@shop.example' }
    expect(await renameDraft(omid, { id, name: ' Spring ' })).toMatchObject(renamed)
    await expect(saveDraft(sara, { id, ...draftOf('two', 1) })).rejects.toMatchObject({ code: 'changed-meanwhile' })
  })

  it('belongs to its app', async () => {
    const { sara } = await setUp()
    const other = await setUp()
    const id = randomUUID()
    await saveDraft(sara, { id, ...draftOf('one') })
    expect(await listDrafts(other.sara)).toEqual([])
    await expect(getDraft(other.sara, { id })).rejects.toMatchObject({ code: 'not-found' })
    expect(await saveDraft(other.sara, { id, ...draftOf('theirs') })).toMatchObject({ version: 1 })
    expect(await getDraft(sara, { id })).toMatchObject({ name: 'one' })
  })

  it('is not larger than allowed, and one of 200', async () => {
    const { app, sara } = await setUp()
    const id = randomUUID()
    const large = { ...draftOf('x'), form: { who: { users: 'x'.repeat(limits.draftBytes) } } }
    await expect(saveDraft(sara, { id, ...large })).rejects.toMatchObject({ code: 'too-large' })
    await saveDraft(sara, { id, ...draftOf('one') })
    await store.query(sql`
      insert into send_drafts (app_id, draft_id, name, is_named, body, version, editor_id, created_at, created_by, updated_at, updated_by)
      select ${app.app.id}, gen_random_uuid(), '', false, '{}', 1, gen_random_uuid(), peyk_now(), '', peyk_now(), ''
      from generate_series(2, ${limits.draftsPerApp}::int)`)
    const attempt = saveDraft(sara, { id: randomUUID(), ...draftOf('more') })
    await expect(attempt).rejects.toMatchObject({ code: 'limit-reached' })
    expect(await saveDraft(sara, { id, ...draftOf('one') })).toMatchObject({ version: 2 })
  })
})

it('the list of drafts has the last edited first', async () => {
  const { sara, omid } = await setUp()
  const [one, two] = [randomUUID(), randomUUID()]
  await saveDraft(sara, { id: one, ...draftOf('one') })
  await saveDraft(sara, { id: two, ...draftOf('two') })
  await saveDraft(omid, { id: one, ...draftOf('one more', 1) })
  expect((await listDrafts(sara)).map(({ name, updatedBy }) => [name, updatedBy])).toEqual([
    ['one more', 'omid@shop.example'],
    ['two', 'sara@shop.example'],
  ])
})

it('a draft that is sent is gone, and stays when the send is refused', async () => {
  const { sara } = await setUp()
  await addInstallation(sara, 'someone')
  const id = randomUUID()
  await saveDraft(sara, { id, ...draftOf('Hello') })
  const send = { product: 'message' as const, users: ['someone'], confirmed: 1, draftId: id }
  await expect(sendDraft(sara, { ...send, content: '' })).rejects.toMatchObject({ code: 'invalid-request' })
  expect(await listDrafts(sara)).toHaveLength(1)
  expect(await sendDraft(sara, { ...send, content: 'Hello' })).toMatchObject({ count: 1 })
  expect(await listDrafts(sara)).toEqual([])
})

it('a user who is forgotten is in no draft any more', async () => {
  const { app, sara } = await setUp()
  const draftTo = async (users: string) => {
    const id = randomUUID()
    await saveDraft(sara, { id, ...draftOf('Hello'), form: { who: { users } } })
    return id
  }
  const [some, none] = [await draftTo('omid, mina\nomid2;omid'), await draftTo('omid2')]
  await saveDraft(sara, { id: randomUUID(), ...draftOf('omid') })
  await store.transaction((tx) => forgetUser(tx, { appId: app.app.id, userIds: ['omid'] }))
  expect(await getDraft(sara, { id: some })).toMatchObject({ version: 2, form: { who: { users: ', mina\nomid2;' } } })
  expect(await getDraft(sara, { id: none })).toMatchObject({ version: 1, form: { who: { users: 'omid2' } } })
})
