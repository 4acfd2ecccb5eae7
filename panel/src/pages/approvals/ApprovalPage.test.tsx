import { type ApprovalDetail, panelApproval, panelApprove, panelDecline } from '@peyk/contract'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { exampleOf, refusal, service } from '../../testing/service.test-support.ts'
import { show } from '../../testing/show.test-support.tsx'
import { ApprovalPage } from './ApprovalPage.tsx'

const waiting = exampleOf(panelApproval)
const path = `/approvals/${waiting.id}`
type Now = NonNullable<ApprovalDetail['now']>
const now = (changes: Partial<Now>) => ({ now: { ...(waiting.now as Now), ...changes } })

async function open(changes: Partial<ApprovalDetail> = {}, options: Parameters<typeof show>[1] = {}) {
  service.answer<typeof panelApproval>('GET', path, { ...waiting, ...changes })
  const at = { route: '/$app/approvals/$id', at: `/shop${path}` }
  const shown = await show(<ApprovalPage />, { email: 'omid@shop.example', ...at, ...options })
  await screen.findByText(/asked to (send|move) this/)
  return shown
}

it('it says who asked for what, when it goes, and until when it can be approved', async () => {
  await open({ message: { ...waiting.message, sendAt: Date.parse('2090-11-24T05:30:00Z') } })
  expect(screen.getByText(/^sara@shop\.example asked to send this/)).toBeTruthy()
  expect(screen.getByText('It will be sent Nov 24, 2090, 09:00.')).toBeTruthy()
  expect(screen.getByText('The audience is looked up when it is sent: it may be larger than today.')).toBeTruthy()
  expect(screen.getByText(/^It can be approved until Nov 22, 2026/)).toBeTruthy()
  expect(screen.getAllByText('The sale has started').length).toBeGreaterThan(0)
})

it('who approves types the number of now, and what they have read is sent along', async () => {
  service.answer<typeof panelApprove>('POST', `${path}/approve`, exampleOf(panelApprove))
  const { user, fill } = await open()
  await user.click(screen.getByRole('button', { name: 'Approve…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Approve this send?' })
  expect(dialog.textContent).toContain('It goes to 121,400 devices, in the name of sara@shop.example.')
  await fill(within(dialog).getByRole('textbox'), '120000')
  await user.keyboard('{Enter}')
  expect(service.asked('POST', `${path}/approve`)).toEqual([])
  await fill(within(dialog).getByRole('textbox'), '121400')
  await user.click(within(dialog).getByRole('button', { name: 'Approve and send' }))
  await screen.findByText('Approved.')
  expect(service.bodyOf('POST', `${path}/approve`)).toEqual({ confirmed: 121_400, seen: waiting.now?.seen })
})

it('what has changed meanwhile is not sent: it is read again', async () => {
  service.answer('POST', `${path}/approve`, refusal(409, 'changed-meanwhile'))
  const { user, fill } = await open()
  await user.click(screen.getByRole('button', { name: 'Approve…' }))
  await fill(await screen.findByRole('textbox'), '121400')
  service.answer<typeof panelApproval>('GET', path, { ...waiting, ...now({ hasChanged: true }) })
  await user.keyboard('{Enter}')
  await screen.findByText(/^This has changed since you opened it\. Nothing was sent\./)
  await screen.findByText(/^This has changed since it was asked for/)
})

it('an audience that has grown, and a send that cannot go any more, are said before all else', async () => {
  await open({ blocked: 'The category was deleted.', ...now({ hasGrown: true, count: 250_000 }) })
  expect(screen.getByText('It was asked for 120,000 devices. By now it would go to 250,000.')).toBeTruthy()
  expect(screen.getByText('It cannot be sent any more')).toBeTruthy()
  expect(screen.getByText('The category was deleted.')).toBeTruthy()
})

it('what would reach nobody now cannot be approved, unless it goes later', async () => {
  const { unmount } = await open(now({ count: 0 }))
  expect(screen.getByRole('button', { name: 'Approve…' })).toHaveProperty('disabled', true)
  unmount()
  await open({ ...now({ count: 0 }), message: { ...waiting.message, sendAt: Date.parse('2090-11-24T05:30:00Z') } })
  expect(screen.getByRole('button', { name: 'Approve…' })).toHaveProperty('disabled', false)
})

it('who declines says why', async () => {
  service.answer<typeof panelDecline>('POST', `${path}/decline`, exampleOf(panelDecline))
  const { user, fill } = await open()
  await user.click(screen.getByRole('button', { name: 'Decline…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Decline this send?' })
  const decline = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Decline' })
  const reason = within(dialog).getByRole('textbox', { name: 'Reason' })
  await fill(reason, '  ')
  expect(decline.disabled).toBe(true)
  await fill(reason, 'The price is wrong.')
  await user.click(decline)
  await screen.findByText('Declined.')
  expect(service.bodyOf('POST', `${path}/decline`)).toEqual({ reason: 'The price is wrong.' })
})

it('who asked cannot approve it, but take it back', async () => {
  service.answer<typeof panelDecline>('POST', `${path}/decline`, exampleOf(panelDecline))
  const { user } = await open({ isOwn: true }, { email: 'sara@shop.example' })
  expect(screen.queryByRole('button', { name: 'Approve…' })).toBeNull()
  expect(screen.getByText(/Another member has to approve it: an admin or a marketer\.$/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Take back' }))
  const dialog = await screen.findByRole('dialog', { name: 'Take this send back?' })
  await user.click(within(dialog).getByRole('button', { name: 'Take back' }))
  await screen.findByText('Taken back.')
  expect(service.bodyOf('POST', `${path}/decline`)).toEqual({})
})

it('who may not send to many only reads it', async () => {
  await open({}, { mayNot: ['send-to-many'] })
  expect(screen.queryByRole('button', { name: /Approve|Decline|Take back/ })).toBeNull()
  expect(screen.getByText(/An admin or a marketer has to approve it\.$/)).toBeTruthy()
})

it('once it is decided, it says by whom and why, and nothing can be pressed', async () => {
  const decided = {
    state: 'declined',
    decidedBy: 'omid@shop.example',
    decidedAt: waiting.askedAt,
    reason: 'Too dear.',
  } as const
  const { now: _now, ...past } = waiting
  service.answer<typeof panelApproval>('GET', path, { ...past, ...decided })
  await show(<ApprovalPage />, { route: '/$app/approvals/$id', at: `/shop${path}` })
  await screen.findByText(/^omid@shop\.example declined it on/)
  expect(screen.getByText('Too dear.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Approve|Decline|Take back/ })).toBeNull()
})
