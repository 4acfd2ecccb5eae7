import { panelSession } from '@peyk/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { SegmentNumber } from '../parts/segment-builder/SegmentNumber.tsx'
import { exampleOf, service } from '../testing/service.test-support.ts'
import { show } from '../testing/show.test-support.tsx'
import { AccountMenu } from './AccountMenu.tsx'

const counted = {
  data: { count: 1200, users: 900, funnel: [] },
  everybody: undefined,
  error: null,
  isComplete: true,
  hasRule: true,
  isCounting: false,
  retry: () => undefined,
}

it('the language is changed for the whole page: its words, its digits and its direction; and it is kept', async () => {
  service.answer<typeof panelSession>('GET', '/session', exampleOf(panelSession))
  const { user, container } = await show(
    <>
      <AccountMenu />
      <SegmentNumber of={counted} />
    </>,
  )
  expect(screen.getByRole('status').textContent).toBe('1,200devices of 900 users')
  await user.click(screen.getByRole('button', { name: 'Account' }))
  await user.click(await screen.findByRole('menuitem', { name: 'فارسی' }))
  await waitFor(() => expect(document.documentElement.dir).toBe('rtl'))
  expect(document.documentElement.lang).toBe('fa')
  expect(screen.getByRole('status').textContent).toMatch(/^۱٬۲۰۰/)
  expect(screen.getByRole('status').textContent).not.toMatch(/[a-z]/)
  expect(localStorage.getItem('peyk-language')).toBe('fa')
  await user.click(container.querySelector('button') as HTMLElement)
  await user.click(await screen.findByRole('menuitem', { name: 'English' }))
  await waitFor(() => expect(document.documentElement.dir).toBe('ltr'))
  expect(screen.getByRole('status').textContent).toBe('1,200devices of 900 users')
})
