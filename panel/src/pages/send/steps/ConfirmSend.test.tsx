import { panelPlanSend, panelSend, type SendPlan } from '@peyk/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { exampleOf, later, refusal, service } from '#testing/service.test-support.ts'
import { show } from '#testing/show.test-support.tsx'
import { ConfirmSend } from './ConfirmSend.tsx'

const { dryRun } = exampleOf(panelPlanSend)
const plan = (changes: Partial<SendPlan> = {}, count = 5321): SendPlan => ({ dryRun: { ...dryRun, count }, ...changes })
const message = { product: 'message', content: 'The sale has started', target: {}, draftId: 'draft-1' } as const

async function confirm(given: SendPlan, changes: object = {}, language: 'en' | 'fa' = 'en') {
  const heard = { onClose: vi.fn(), onSent: vi.fn(), onRefused: vi.fn() }
  const part = <ConfirmSend request={{ ...message, ...changes }} plan={given} idempotencyKey="key-1" {...heard} />
  const { user } = await show(part, { language })
  await screen.findByRole('dialog')
  const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
  return { user, button, ...heard }
}

const answerSend = () => service.answer<typeof panelSend>('POST', '/send', exampleOf(panelSend))

it('the number is said in figures and words, and is what the member confirms', async () => {
  answerSend()
  const { user, button, onSent } = await confirm(plan())
  expect(screen.getByRole('dialog', { name: 'Send this message?' })).toBeTruthy()
  expect(screen.getByText('It goes to 5,321 devices: five thousand three hundred and twenty-one.')).toBeTruthy()
  await user.click(button('Send to 5,321 devices now'))
  await waitFor(() => expect(onSent).toHaveBeenCalledOnce())
  expect(service.bodyOf('POST', '/send')).toEqual({ ...message, confirmed: 5321 })
})

it('while it is being sent, neither another click nor the keyboard does anything', async () => {
  const answer = later(exampleOf(panelSend))
  service.answer<typeof panelSend>('POST', '/send', answer.answer)
  const { user, button, onClose, onSent } = await confirm(plan({}, 3))
  await user.click(button('Send to 3 devices now'))
  await waitFor(() => expect(button('Cancel').disabled).toBe(true))
  await user.dblClick(button('Send to 3 devices now'))
  await user.keyboard('{Enter}{Escape}')
  expect(service.asked('POST', '/send')).toHaveLength(1)
  expect(onClose).not.toHaveBeenCalled()
  answer.come()
  await waitFor(() => expect(onSent).toHaveBeenCalledOnce())
})

it('Cancel sends nothing', async () => {
  const { user, button, onClose } = await confirm(plan())
  await user.click(button('Cancel'))
  expect(onClose).toHaveBeenCalledOnce()
  expect(service.asked('POST', '/send')).toEqual([])
})

it('an unusual number must be typed, with or without its comma', async () => {
  answerSend()
  const { user, button, onSent } = await confirm(plan({ unusual: { largest: 1200, isEverybody: false } }))
  expect(screen.getByText(/^This is 4\.4 times as many as the largest send of the last 30 days \(1,200\)/)).toBeTruthy()
  const send = button('Send to 5,321 devices now')
  const field = screen.getByRole('textbox', { name: 'Type 5,321 to confirm' })
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(send.disabled).toBe(true)
  await user.keyboard('532{Enter}')
  expect(send.disabled).toBe(true)
  expect(service.asked('POST', '/send')).toEqual([])
  await user.clear(field)
  await user.type(field, '5,321{Enter}')
  await waitFor(() => expect(onSent).toHaveBeenCalledOnce())
})

it('everybody is called so, and Persian digits confirm', async () => {
  const { user, button } = await confirm(plan({ unusual: { largest: 0, isEverybody: true } }), {}, 'fa')
  const send = button('ارسال به ۵٬۳۲۱ دستگاه همین حالا')
  await user.type(screen.getByRole('textbox'), '۵۳۲۱')
  expect(send.disabled).toBe(false)
})

it('with too few codes, it says who is left out, and waits until the member agrees', async () => {
  answerSend()
  const promo = { needed: 100, campaignLeft: 60, globalLeft: 0, missing: 40, sampleCode: 'SALE-1' }
  const given = plan()
  const { user, button } = await confirm({ ...given, dryRun: { ...given.dryRun, promo } })
  expect(screen.getByText('It goes to 60 of 100 users.')).toBeTruthy()
  const send = button('Send to 60 of 100 users now')
  expect(send.disabled).toBe(true)
  await user.click(screen.getByRole('checkbox', { name: /^Leave out the 40 users without a code/ }))
  expect(send.disabled).toBe(false)
})

it('a message for later says when, and that it can be changed', async () => {
  const { button } = await confirm(plan({}, 3), { sendAt: Date.parse('2090-11-24T05:30:00Z') })
  expect(screen.getByRole('dialog', { name: 'Schedule this message?' })).toBeTruthy()
  expect(screen.getByText('Goes Nov 24, 2090, 09:00.')).toBeTruthy()
  expect(screen.getByText(/Until then you can change the time or cancel it\.$/)).toBeTruthy()
  expect(button('Schedule for 3 devices')).toBeTruthy()
})

it('what needs another member is asked for, not sent', async () => {
  const { button } = await confirm(plan({ needsApproval: true }))
  expect(screen.getByText(/^This send needs the approval of another member/)).toBeTruthy()
  expect(button('Ask for approval')).toBeTruthy()
})

it('after silence it may be sent again, with the same key, so that it goes once', async () => {
  service.answer('POST', '/send', new Response('bad gateway', { status: 502 }))
  const { user, button, onRefused, onSent } = await confirm(plan({}, 3))
  await user.click(button('Send to 3 devices now'))
  await screen.findByText('No answer came. Send again: it is not sent twice, even if the first attempt got through.')
  expect(onRefused).not.toHaveBeenCalled()
  answerSend()
  await user.click(button('Send to 3 devices now'))
  await waitFor(() => expect(onSent).toHaveBeenCalledOnce())
  expect(service.asked('POST', '/send').map(({ headers }) => headers['idempotency-key'])).toEqual(['key-1', 'key-1'])
})

it('what the service refuses is left to the page, which shows it at its field', async () => {
  service.answer('POST', '/send', refusal(400, 'invalid-request', { field: 'content' }))
  const { user, button, onRefused, onSent } = await confirm(plan({}, 3))
  await user.click(button('Send to 3 devices now'))
  await waitFor(() => expect(onRefused).toHaveBeenCalledOnce())
  expect(onRefused.mock.calls[0]?.[0]).toMatchObject({ status: 400, details: { field: 'content' } })
  expect(onSent).not.toHaveBeenCalled()
})
