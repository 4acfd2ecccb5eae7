import { expect, it } from 'vitest'
import { emptyDraft } from './draft.ts'
import { nameDraft } from './name-draft.ts'
import { copyDraft, fillDraft, isUnsaved, openStored } from './open-draft.ts'
import { randomId } from './random-id.ts'

const stored = {
  ...{ id: randomId(), name: 'Hello', version: 3, updatedAt: 1000, updatedBy: 'sara@shop.example', formVersion: 1 },
  form: { content: 'Hello', who: { users: 'sara' } },
}

it('a draft needs no saving until it is changed or named', () => {
  const opened = [fillDraft({ ...emptyDraft, content: 'Hello' }), openStored({ ...stored, isNamed: false })]
  for (const open of opened) {
    expect(isUnsaved(open)).toBe(false)
    expect(isUnsaved({ ...open, draft: { ...open.draft, content: 'Hello!' } })).toBe(true)
    expect(isUnsaved({ ...open, name: 'Spring' })).toBe(true)
  }
})

it('a stored draft is read with what its form did not have yet', () => {
  const { draft, name, version } = openStored({ ...stored, isNamed: true })
  expect([name, version]).toEqual(['Hello', 3])
  expect(draft).toEqual({ ...emptyDraft, content: 'Hello', who: { ...emptyDraft.who, users: 'sara' } })
  expect(openStored({ ...stored, isNamed: false }).name).toBeUndefined()
})

it('a copy is another draft, which is still to be saved', () => {
  const open = openStored({ ...stored, isNamed: true })
  const copy = copyDraft(open, (name) => `${name} (copy)`)
  expect(copy).toMatchObject({ draft: open.draft, version: 0, name: 'Hello (copy)' })
  expect([copy.id === open.id, isUnsaved(copy)]).toEqual([false, true])
  expect(copyDraft(openStored({ ...stored, isNamed: false }), (name) => name).name).toBeUndefined()
})

it('ids are UUIDs', () => {
  expect(randomId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(randomId()).not.toBe(randomId())
})

it.each([
  [{ content: '  Hello\nthere' }, 'Hello'],
  [{ content: 'Hello', notification: { ...emptyDraft.notification, title: 'Sale' } }, 'Sale'],
  [{ alertText: 'Look' }, 'Look'],
  [{ content: '😀'.repeat(70) }, `${'😀'.repeat(60)}…`],
  [{}, ''],
])('%j is named %j', (changes, name) => {
  expect(nameDraft({ ...emptyDraft, ...changes })).toBe(name)
})
