import type { panelCampaigns, panelCountReceivers, ReceiverCount } from '@peyk/contract'
import { channels, panelSegmentFields, panelSegments } from '@peyk/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { exampleOf, later, refusal, service } from '#testing/service.test-support.ts'
import { compose } from '../composing.test-support.tsx'
import { composeReceivers } from '../draft/compose.ts'
import { type Draft, emptyDraft } from '../draft/draft.ts'
import { useReceiverCount } from '../queries.ts'
import { useSending } from '../sending.ts'
import { AudienceStep } from './AudienceStep.tsx'

beforeEach(() => {
  service.answer<typeof panelCampaigns>('GET', '/campaigns', { at: 0, data: [] })
  service.answer<typeof panelSegments>('GET', '/segments', exampleOf(panelSegments))
  service.answer<typeof panelSegmentFields>('GET', '/segments/fields', exampleOf(panelSegmentFields))
  service.answer<typeof channels>('GET', '/channels', exampleOf(channels))
})

function Step({ lost }: { lost?: 'filter' }) {
  const { draft } = useSending()
  const counted = useReceiverCount(draft.product, composeReceivers(draft).receivers, draft.flags.live)
  return <AudienceStep counted={counted} lost={lost} />
}

function answerCount(count: ReceiverCount): void {
  service.answer<typeof panelCountReceivers>('POST', '/send/count', count)
}

const who = (changes: Partial<Draft['who']>) => ({ who: { ...emptyDraft.who, ...changes } })

it('named users are counted, and those whom it does not reach are named', async () => {
  answerCount({
    count: 2,
    users: 1,
    unknown: { count: 1, first: ['nobody'] },
    unreached: { count: 1, first: ['omid'] },
  })
  const { fill } = await compose(<Step />)
  expect(screen.queryByText('Goes to')).toBeNull()
  await fill(screen.getByRole('textbox', { name: 'User ids' }), 'sara, nobody\nomid')
  expect(screen.getByText('3 user ids')).toBeTruthy()
  await screen.findByText('2 devices')
  expect(screen.getByText('One id belongs to no user:').textContent).toContain('nobody')
  expect(screen.getByText('One user has no device that can receive it:').textContent).toContain('omid')
  expect(service.asked('POST', '/send/count').map(({ body }) => body)).toEqual([
    { product: 'message', users: ['sara', 'nobody', 'omid'], live: false },
  ])
  await fill(screen.getByRole('textbox', { name: 'User ids' }), 'sara\nuser/2\nomid\nuser#4')
  expect(screen.getByText(/^2 are not valid user ids:/).textContent).toBe('2 are not valid user ids: user/2, user#4')
})

it('a saved segment is found by its name, and said in words', async () => {
  answerCount({ count: 412, users: 398 })
  const [segment] = exampleOf(panelSegments).data
  if (segment === undefined) throw new Error('the example has no segment')
  const { user, draft } = await compose(<Step />)
  await user.click(screen.getByRole('radio', { name: 'Saved segment' }))
  const field = screen.getByRole('combobox', { name: 'Segment' })
  await waitFor(() => expect(document.activeElement).toBe(field))
  await user.paste(segment.name.slice(0, 5))
  await user.click(await screen.findByRole('option', { name: new RegExp(`^${segment.name} · `) }))
  expect(draft().who).toMatchObject({ kind: 'segment', segment: segment.id })
  await screen.findByText('412 devices')
})

it('what was typed for one kind is kept while another one is looked at', async () => {
  answerCount({ count: 1, users: 1 })
  const { user } = await compose(<Step />, who({ users: 'sara' }))
  await user.click(screen.getByRole('radio', { name: 'Everybody' }))
  expect(screen.getByText(/^This goes to every device that has the app\./)).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'Specific users' }))
  expect(screen.getByRole('textbox', { name: 'User ids' })).toHaveProperty('value', 'sara')
})

it('everybody is everybody on the channel that the message names', async () => {
  answerCount({ count: 70 })
  await compose(<Step />, { ...who({ kind: 'everybody' }), channel: 'news' })
  expect(screen.getByText(/^This goes to every device on the channel “news”, and to no other\./)).toBeTruthy()
})

it('a number that is being counted anew says so, and gives way to the new one only', async () => {
  answerCount({ count: 2, users: 1 })
  const { user } = await compose(<Step />, who({ users: 'sara' }))
  const users = screen.getByRole('textbox', { name: 'User ids' })
  const old = await screen.findByText('2 devices')
  const next = later({ count: 3, users: 2 })
  service.answer<typeof panelCountReceivers>('POST', '/send/count', next.answer)
  await user.click(users)
  await user.paste(', omid')
  expect(old.closest('[aria-live]')?.hasAttribute('data-stale')).toBe(true)
  await waitFor(() => expect(service.asked('POST', '/send/count')).toHaveLength(2))
  next.come()
  const fresh = await screen.findByText('3 devices')
  await waitFor(() => expect(fresh.closest('[aria-live]')?.hasAttribute('data-stale')).toBe(false))
})

it('a count that fails says so, and is asked for again', async () => {
  service.answer('POST', '/send/count', refusal(500, 'internal'))
  const { user } = await compose(<Step />, who({ users: 'sara' }))
  await screen.findByText('That did not work')
  answerCount({ count: 2, users: 1 })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('2 devices')
})

it('who may send to a few only has no other choice, and is told of too many', async () => {
  answerCount({ count: 11, users: 11 })
  const ids = Array.from({ length: 11 }, (_, index) => `user-${index}`)
  const { fill } = await compose(<Step />, who({ users: ids.join('\n') }), { mayNot: ['send-to-many'] })
  expect(screen.queryByRole('radio')).toBeNull()
  expect(screen.getByText('Your role can send to up to 10 users.')).toBeTruthy()
  const tooMany = 'Your role can send to up to 10 users. An admin or a marketer can send to more.'
  expect(screen.getByText(tooMany)).toBeTruthy()
  await fill(screen.getByRole('textbox', { name: 'User ids' }), ids.slice(1).join(' '))
  expect(screen.queryByText(tooMany)).toBeNull()
})

it('why a repeated message has no recipients is said until somebody is chosen', async () => {
  answerCount({ count: 1, users: 1 })
  const { fill } = await compose(<Step lost="filter" />)
  expect(screen.getByText(/^That message used a filter that only the API knows\./)).toBeTruthy()
  await fill(screen.getByRole('textbox', { name: 'User ids' }), 'sara')
  expect(screen.queryByText(/^That message used a filter/)).toBeNull()
})
