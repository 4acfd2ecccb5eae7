import { type MessageLine, panelMessages } from '@peyk/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { MoreButton } from '../../parts/tables/MoreButton.tsx'
import { exampleOf, service } from '../../testing/service.test-support.ts'
import { show } from '../../testing/show.test-support.tsx'
import { MessageTable } from './MessageTable.tsx'
import { useMessageLines } from './queries.ts'

const { at, data } = exampleOf(panelMessages)
const line = (place: number, changes: Partial<MessageLine> = {}): MessageLine => ({
  ...(data[0] as MessageLine),
  id: `019d9c3e-5a00-7c1b-9f3e-00000000000${place}`,
  title: `Message ${place}`,
  ...changes,
})

function List() {
  const list = useMessageLines({ search: '', kind: 'all' })
  return (
    <>
      <MessageTable rows={list.data?.pages.flatMap((page) => page.data) ?? []} empty={<p>No messages yet</p>} />
      <MoreButton of={list} />
    </>
  )
}

const titles = () => screen.getAllByRole('link', { name: /^Message/ }).map(({ textContent }) => textContent)
const rowOf = (title: string) => screen.getByRole('link', { name: title }).closest('tr') as HTMLElement

async function open() {
  service.answer<typeof panelMessages>('GET', '/messages', ({ query }) =>
    'cursor' in query ? { at, data: [line(1)] } : { at, data: [line(3), line(2)], cursor: 'next' },
  )
  const shown = await show(<List />)
  await screen.findByRole('link', { name: 'Message 3' })
  await waitFor(() => expect(service.heard()).toContain('messages'))
  return shown
}

it('the next page comes below the first, and the button goes with the last one', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: 'Show more' }))
  await screen.findByRole('link', { name: 'Message 1' })
  expect(titles()).toEqual(['Message 3', 'Message 2', 'Message 1'])
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  expect(service.asked('GET', '/messages').map(({ query }) => query)).toEqual([{}, { cursor: 'next' }])
})

it('numbers move as the service tells them, and what was just sent comes on top', async () => {
  await open()
  const progress = { total: 4000, settled: 1000, waiting: 3000 }
  service.tell('messages', [line(4), line(2, { progress })])
  await screen.findByRole('link', { name: 'Message 4' })
  expect(titles()).toEqual(['Message 4', 'Message 3', 'Message 2'])
  expect(within(rowOf('Message 2')).getByText('Sending')).toBeTruthy()
  expect(within(rowOf('Message 2')).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25')
  expect(within(rowOf('Message 3')).queryByText('Sending')).toBeNull()
})

it('a row is opened by its link and by a click anywhere in it', async () => {
  const { user, pathname } = await open()
  await user.click(within(rowOf('Message 2')).getAllByRole('cell').at(-1) as HTMLElement)
  await waitFor(() => expect(pathname()).toBe(`/shop/messages/${line(2).id}`))
})
