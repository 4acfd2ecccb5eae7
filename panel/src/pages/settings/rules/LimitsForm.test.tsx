import { type Category, changeApp, createCategory, getApp, type OwnApp } from '@peyk/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { exampleOf, service } from '#testing/service.test-support.ts'
import { show } from '#testing/show.test-support.tsx'
import { LimitsForm } from './LimitsForm.tsx'

const { quietHours: _hours, groupCategory: _category, approvalAbove: _above, ...app } = exampleOf(getApp)
const plain: OwnApp = { ...app, caps: [], controlGroup: 0 }
const news: Category = exampleOf(createCategory)
const without = { quietHours: null, caps: [], controlGroup: 0, groupCategory: null, approvalAbove: null }

async function open(changes: Partial<OwnApp> = {}, categories: readonly Category[] = [news]) {
  service.answer<typeof changeApp>('PUT', '/app', { ...exampleOf(changeApp) })
  const shown = await show(<LimitsForm app={{ ...plain, ...changes }} categories={categories} />)
  const save = () => shown.user.click(screen.getByRole('button', { name: 'Save' }))
  return { ...shown, save, sent: () => service.bodyOf('PUT', '/app') }
}

it('what was not touched is saved as it was', async () => {
  const caps = [
    { count: 3, window: '24h' },
    { count: 5, window: '7d', categories: ['news'] },
  ]
  const stored = {
    quietHours: { from: '22:00', to: '08:00' },
    caps,
    controlGroup: 5,
    groupCategory: 'news',
    approvalAbove: 0,
  }
  const { save, sent } = await open(stored)
  await save()
  await screen.findByText('Saved')
  expect(sent()).toEqual(stored)
})

it('quiet hours begin with a usual night, and cannot begin and end at one time', async () => {
  const { user, save, sent } = await open()
  await user.click(screen.getByRole('switch', { name: /^Hold messages during quiet hours/ }))
  expect(screen.getByLabelText('From')).toHaveProperty('value', '22:00')
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '22:00' } })
  expect(screen.getByText('Choose another time than the first')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '07:30' } })
  await save()
  await waitFor(() => expect(sent()).toEqual({ ...without, quietHours: { from: '22:00', to: '07:30' } }))
})

it('caps are added, changed and removed, each for itself', async () => {
  const { user, fill, save, sent } = await open({
    caps: [
      { count: 3, window: '24h' },
      { count: 9, window: '48h' },
    ],
  })
  await user.click(screen.getAllByRole('button', { name: 'Remove the cap' })[1] as HTMLElement)
  await user.click(screen.getByRole('button', { name: 'Add a cap' }))
  const [first, second] = screen.getAllByRole('group', { name: 'Cap' }) as [HTMLElement, HTMLElement]
  expect(within(first).getByRole('textbox', { name: 'Messages' })).toHaveProperty('value', '3')
  await fill(within(second).getByRole('textbox', { name: 'Messages' }), '2')
  await user.click(within(second).getByRole('combobox', { name: 'Of these categories' }))
  await user.click(await screen.findByRole('option', { name: 'News' }))
  // A number out of bounds is put within it when the field is left.
  await fill(within(second).getByRole('textbox', { name: 'Within' }), '900')
  await user.tab()
  await save()
  const caps = [
    { count: 3, window: '24h' },
    { count: 2, window: '720h', categories: ['news'] },
  ]
  await waitFor(() => expect(sent()).toEqual({ ...without, caps }))
})

it('limits that hold for no send are said to do so', async () => {
  const { user } = await open()
  expect(screen.queryByRole('alert')).toBeNull()
  await user.type(screen.getByRole('textbox', { name: 'Share of users' }), '5')
  expect(screen.getByText(/^Sends to groups ignore these limits unless the sender names a category\./)).toBeTruthy()
  await user.click(screen.getByRole('combobox', { name: 'Default category for sends to groups' }))
  await user.click(await screen.findByRole('option', { name: 'News' }))
  expect(screen.queryByText(/^Sends to groups ignore these limits/)).toBeNull()
})

it('zero devices without approval is another thing than no limit, and what is switched off is taken away', async () => {
  const { user, save, sent } = await open({ quietHours: { from: '22:00', to: '08:00' } })
  await user.click(screen.getByRole('switch', { name: /^Hold messages during quiet hours/ }))
  await user.type(screen.getByRole('textbox', { name: 'Devices that one member may send to alone' }), '0')
  await save()
  await waitFor(() => expect(sent()).toEqual({ ...without, approvalAbove: 0 }))
})

it('the page asks before changes are lost, and does not ask when there are none', async () => {
  const { user, go, pathname } = await open()
  await user.click(screen.getByRole('switch', { name: /^Hold messages during quiet hours/ }))
  void go('/shop/other')
  await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(pathname()).toBe('/shop/page')
  await user.click(screen.getByRole('switch', { name: /^Hold messages during quiet hours/ }))
  void go('/shop/other')
  await waitFor(() => expect(pathname()).toBe('/shop/other'))
})
