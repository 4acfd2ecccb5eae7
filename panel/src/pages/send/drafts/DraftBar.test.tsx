import { panelDraft, panelSamplePerson, panelSaveDraft, type StoredDraft } from '@peyk/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { exampleOf, refusal, service } from '#testing/service.test-support.ts'
import { show } from '#testing/show.test-support.tsx'
import { emptyDraft } from '../draft/draft.ts'
import { keepDraft } from '../draft/keep-draft.ts'
import { openStored } from '../draft/open-draft.ts'
import { useComposer } from '../use-composer.ts'
import { DraftBar } from './DraftBar.tsx'
import { DraftClash } from './DraftClash.tsx'

const example = exampleOf(panelDraft)
const path = `/drafts/${example.id}`
const at = Date.parse('2026-11-20T05:30:00Z')
const draft = (content: string, version: number): StoredDraft => ({
  ...example,
  version,
  updatedAt: at,
  form: { ...emptyDraft, content },
})
const saved = { ...exampleOf(panelSaveDraft), version: 4, updatedAt: at }

function Page() {
  const composer = useComposer()
  return (
    <>
      <DraftBar composer={composer} />
      <DraftClash composer={composer} />
      <textarea
        aria-label="Text"
        value={composer.draft.content}
        onChange={({ currentTarget }) => composer.sending.change({ content: currentTarget.value })}
      />
    </>
  )
}

beforeEach(() => {
  service.answer<typeof panelSamplePerson>('POST', '/send/person', exampleOf(panelSamplePerson))
  service.answer<typeof panelDraft>('GET', path, draft('Half price', 3))
  service.answer<typeof panelSaveDraft>('PUT', path, saved)
})

/** The page with a draft that this browser has kept. */
async function open() {
  keepDraft({ appId: 'shop', email: 'sara@shop.example' }, openStored(draft('Half price', 3)))
  const shown = await show(<Page />)
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' })
  const choose = async (item: string) => {
    await shown.user.click(screen.getByRole('button', { name: 'Drafts' }))
    await shown.user.click(await screen.findByRole('menuitem', { name: item }))
  }
  return { ...shown, field, choose, said: () => screen.getByRole('status').textContent }
}

it('a draft is as it was left, and is saved a moment after it is changed', async () => {
  const { field, fill, said } = await open()
  expect(field.value).toBe('Half price')
  expect(said()).toBe('Saved · 09:00')
  await fill(field, 'Half price, today')
  expect(said()).toBe('Saving…')
  await waitFor(() => expect(said()).toBe('Saved · 09:00'))
  expect(service.bodyOf('PUT', path)).toMatchObject({ version: 3, form: { content: 'Half price, today' } })
})

it('what another member has saved meanwhile is not written over, and can be loaded', async () => {
  const details = { updatedBy: 'omid@shop.example', updatedAt: at }
  service.answer('PUT', path, refusal(409, 'changed-meanwhile', details))
  const { user, field, fill, said } = await open()
  await fill(field, 'Mine')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain(
    'omid@shop.example changed this draft at 09:00. Your changes since are not saved.',
  )
  expect(said()).toBe('Not saved')
  expect(field.value).toBe('Mine')
  service.answer<typeof panelDraft>('GET', path, draft('Theirs', 5))
  await user.click(within(alert).getByRole('button', { name: 'Load the saved version' }))
  await waitFor(() => expect(field.value).toBe('Theirs'))
  expect(screen.queryByRole('alert')).toBeNull()
})

it('a draft that was sent elsewhere is given up only when the member says so', async () => {
  service.answer('GET', path, refusal(404, 'not-found'))
  const { user, field } = await open()
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('This draft was sent or deleted.')
  expect(field.value).toBe('Half price')
  await user.click(within(alert).getByRole('button', { name: 'Discard draft' }))
  expect(field.value).toBe('')
  expect(screen.queryByRole('alert')).toBeNull()
})

it('while the service is away, the draft is kept in this browser, and nothing takes its place', async () => {
  const { field, fill, choose, said } = await open()
  service.answer('PUT', path, new Response('', { status: 502 }))
  await fill(field, 'Mine')
  await waitFor(() => expect(said()).toBe('Not saved yet, kept in this browser.'))
  await choose('New draft')
  await screen.findByText('That did not work')
  expect(field.value).toBe('Mine')
  service.answer<typeof panelSaveDraft>('PUT', path, saved)
  await choose('New draft')
  await waitFor(() => expect(field.value).toBe(''))
})
