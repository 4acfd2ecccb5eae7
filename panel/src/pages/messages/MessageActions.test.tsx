import type { MessageDetail } from '@peyk/contract'
import { cancelMessage, panelMessage, panelMoveScheduled, pauseMessage, recallMessage } from '@peyk/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { exampleOf, service } from '../../testing/service.test-support.ts'
import { show } from '../../testing/show.test-support.tsx'
import { MessageActions } from './MessageActions.tsx'

const sent = exampleOf(panelMessage)
const path = `/messages/${sent.id}`
const sending: MessageDetail = { ...sent, progress: { total: 5321, settled: 3021, waiting: 2300, inFlight: 100 } }
const scheduled: MessageDetail = {
  ...sent,
  state: 'scheduled',
  sendAt: Date.parse('2090-11-24T05:30:00Z'),
  states: { ...sent.states, sent: 0 },
  progress: { total: 0, settled: 0, waiting: 0 },
}

async function act(message: MessageDetail, options: Parameters<typeof show>[1] = {}) {
  const shown = await show(<MessageActions message={message} />, options)
  const press = (name: string) => shown.user.click(screen.getByRole('button', { name }))
  const answer = async (name: string) =>
    shown.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name }))
  return { ...shown, press, answer }
}

const labels = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)

it.each([
  ['one that is being sent', sending, ['Pause', 'Cancel send', 'Recall', 'Send again']],
  [
    'one that is paused',
    { ...sending, progress: { ...sending.progress, paused: true } },
    ['Resume', 'Cancel send', 'Recall', 'Send again'],
  ],
  ['one that has gone', sent, ['Recall', 'Send again']],
  ['one that was recalled', { ...sent, recalledAt: sent.createdAt }, ['Send again']],
  ['one that goes later', scheduled, ['Change time', 'Send now', 'Cancel send', 'Send a copy']],
])('of %s, what can be done with it is offered', async (_, message, offered) => {
  await act(message)
  // The last one is a link that looks like a button.
  expect([...labels(), screen.getByRole('link').textContent]).toEqual(offered)
})

it('who may not operate can only send it again, and who may not send to groups not even that', async () => {
  await act(sending, { mayNot: ['operate', 'send-to-many'] })
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.queryByRole('link')).toBeNull()
})

it('a recall says first what it can do, and then what it did', async () => {
  service.answer<typeof recallMessage>('POST', `${path}/recall`, exampleOf(recallMessage))
  const { press, answer } = await act({ ...sent, states: { ...sent.states, sent: 800 } })
  await press('Recall')
  const dialog = await screen.findByRole('dialog', { name: 'Recall this message?' })
  expect(dialog.textContent).toContain('800 devices may have it')
  expect(dialog.textContent).toContain('An SMS cannot be taken back. A recall cannot be undone.')
  await answer('Cancel')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(service.asked('POST', `${path}/recall`)).toEqual([])
  await press('Recall')
  await answer('Recall message')
  await screen.findByText(/^1,200 devices did not get it\. 790 devices were told to take it away\./)
  expect(service.asked('POST', `${path}/recall`)).toHaveLength(1)
})

it('a send that is cancelled says whom it keeps it from; the other button keeps sending', async () => {
  service.answer<typeof cancelMessage>('DELETE', path, exampleOf(cancelMessage))
  const { press, answer } = await act(sending)
  await press('Cancel send')
  expect((await screen.findByRole('dialog')).textContent).toMatch(/2,200 devices/)
  await answer('Keep sending')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(service.asked('DELETE', path)).toEqual([])
  await press('Cancel send')
  await answer('Cancel send')
  await waitFor(() => expect(service.asked('DELETE', path)).toHaveLength(1))
  await screen.findByText(/1,200 devices/)
})

it('a pause says how many wait', async () => {
  service.answer<typeof pauseMessage>('POST', `${path}/pause`, { ...exampleOf(pauseMessage), waiting: 1, inFlight: 0 })
  const { press } = await act(sending)
  await press('Pause')
  await screen.findByText('Paused: one device waits.')
})

it('a scheduled message to a group goes at once only when its number is typed', async () => {
  service.answer<typeof panelMoveScheduled>('PUT', `${path}/time`, exampleOf(panelMoveScheduled))
  const { user, fill, press, answer } = await act(scheduled)
  const before = Date.now()
  await press('Send now')
  const field = await screen.findByRole('textbox', { name: 'Type 5321 to confirm' })
  await answer('Send now')
  expect(service.asked('PUT', `${path}/time`)).toEqual([])
  await fill(field, '5321')
  await user.keyboard('{Enter}')
  await screen.findByText('It is being sent.')
  const { sendAt } = service.bodyOf('PUT', `${path}/time`) as { sendAt: number }
  expect(sendAt).toBeGreaterThanOrEqual(before)
  expect(sendAt).toBeLessThanOrEqual(Date.now())
})

it('another time is chosen on the clock of the member; one that has passed is not sent', async () => {
  service.answer<typeof panelMoveScheduled>('PUT', `${path}/time`, exampleOf(panelMoveScheduled))
  const { press, answer } = await act(scheduled)
  await press('Change time')
  const field = await screen.findByLabelText<HTMLInputElement>('Date and time')
  expect(field.value).toBe('2090-11-24T09:00')
  fireEvent.change(field, { target: { value: '2020-01-01T09:00' } })
  await answer('Save time')
  await screen.findByText('This time has passed. Choose a later one.')
  expect(service.asked('PUT', `${path}/time`)).toEqual([])
  fireEvent.change(field, { target: { value: '2090-11-25T10:00' } })
  await answer('Save time')
  await screen.findByText('Moved to Nov 25, 2090, 10:00.')
  expect(service.bodyOf('PUT', `${path}/time`)).toEqual({ sendAt: Date.parse('2090-11-25T06:30:00Z') })
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('a message at the local time of users keeps it when it is moved', async () => {
  service.answer<typeof panelMoveScheduled>('PUT', `${path}/time`, exampleOf(panelMoveScheduled))
  const localTime = { local: '2090-11-24T09:00', zone: 'Europe/Berlin', late: 'skip' } as const
  const kept = { ...localTime, ttl: 3600 }
  const { press, answer } = await act({ ...scheduled, localTime: kept })
  await press('Change time')
  const field = await screen.findByLabelText<HTMLInputElement>('At each user’s local time')
  expect(field.value).toBe('2090-11-24T09:00')
  fireEvent.change(field, { target: { value: '2090-11-24T10:00' } })
  await answer('Save time')
  await screen.findByText('Moved to Nov 24, 2090, 10:00 local time.')
  expect(service.bodyOf('PUT', `${path}/time`)).toEqual({ sendAt: { ...localTime, local: '2090-11-24T10:00' } })
})

it('a new time that another member has to approve leads to the request', async () => {
  const waiting = { ...exampleOf(panelMoveScheduled), approval: 'waiting', approvalId: 'request-1' } as const
  service.answer<typeof panelMoveScheduled>('PUT', `${path}/time`, waiting)
  const { press, answer, pathname } = await act(scheduled)
  await press('Change time')
  await answer('Save time')
  await waitFor(() => expect(pathname()).toBe('/shop/approvals/request-1'))
  await screen.findByText(/^Another member has to approve the new time\./)
})
