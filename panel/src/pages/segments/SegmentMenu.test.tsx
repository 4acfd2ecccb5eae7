import { deleteSegment, panelSegment } from '@peyk/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { exampleOf, refusal, service } from '../../testing/service.test-support.ts'
import { show } from '../../testing/show.test-support.tsx'
import { SegmentMenu } from './SegmentMenu.tsx'

const segment = { ...exampleOf(panelSegment), name: 'Lapsed buyers' }
const path = `/segments/${segment.id}`

async function askToDelete() {
  const onGone = vi.fn()
  const shown = await show(<SegmentMenu saved={segment} onGone={onGone} />)
  await shown.user.click(screen.getByRole('button', { name: 'More' }))
  await shown.user.click(await screen.findByRole('menuitem', { name: 'Delete segment' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete “Lapsed buyers”?' })
  return { ...shown, onGone, press: (name: string) => shown.user.click(within(dialog).getByRole('button', { name })) }
}

it('a segment is deleted after a question that names it, and its page is left', async () => {
  service.answer<typeof deleteSegment>('DELETE', path, exampleOf(deleteSegment))
  const { press, onGone, pathname } = await askToDelete()
  expect(service.asked('DELETE', path)).toEqual([])
  await press('Delete segment')
  await waitFor(() => expect(pathname()).toBe('/shop/segments'))
  expect(onGone).toHaveBeenCalledOnce()
  expect(screen.getByText('Segment deleted.')).toBeTruthy()
})

it('one that cannot be deleted stays, and so does its page', async () => {
  service.answer('DELETE', path, refusal(409, 'in-use'))
  const { press, onGone, pathname } = await askToDelete()
  await press('Delete segment')
  await screen.findByText('That did not work')
  expect(onGone).not.toHaveBeenCalled()
  expect(pathname()).toBe('/shop/page')
})
