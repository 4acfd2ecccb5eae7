import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel({ isShared: false })

interface Counts {
  states: Record<string, number>
  actions: Record<string, number>
}

test('what is sent shows on the drawn phones, and what is done there is counted', async () => {
  const page = await panel.open()
  await panel.visit(page, '/phones')
  const phone = (kind: string) => page.getByRole('region', { name: `${kind}, user-1` })
  const actions = [{ id: 'track', title: 'Track it' }]
  const send = async (title: string): Promise<string> => {
    const body = { user: 'user-1', content: 'On its way', notification: { title, actions } }
    return ((await panel.call('POST', '/api/push/toUsers', body)).body as { id: string }).id
  }

  const id = await send('Order 42')
  for (const kind of ['Android', 'iPhone', 'Browser', 'Android without Google'])
    await phone(kind).getByText('Order 42').waitFor()
  expect(await findBarriers(page)).toEqual([])

  await phone('Android').getByText('Order 42').click()
  await phone('Browser').getByRole('button', { name: 'Show it pulled open' }).click()
  await phone('Browser').getByRole('button', { name: 'Track it' }).click()
  await phone('iPhone').getByRole('button', { name: 'Dismiss' }).focus()
  await page.keyboard.press('Enter')
  await phone('Android without Google').getByRole('button', { name: 'Dismiss' }).click()
  await poll(() => page.getByText('Order 42').count()).toBe(0)
  await poll(async () => {
    const { states, actions } = (await panel.call('GET', `/api/messages/${id}`)).body as Counts
    return [states.opened, states.acted, states.dismissed, actions]
  }).toEqual([1, 1, 2, { track: 1 }])
  expect(panel.faults).toEqual([])
})

/** What axe finds too small to be hit. */
const findSmallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const found = await window.axe.run(document, { runOnly: { type: 'rule', values: ['target-size'] } })
    return found.violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))
  })

test('a pulled open notification has its whole name, all its buttons in sight, and targets that can be hit', async () => {
  const actions = [
    { id: 'track', title: 'Track it' },
    { id: 'later', title: 'Remind me later' },
  ]
  for (const title of ['Older', 'Newer']) {
    const text = 'Your order is on its way. Follow it on the map, hour by hour.'
    await panel.call('POST', '/api/push/toUsers', {
      user: 'user-1',
      content: text,
      notification: { title, body: text, actions },
    })
  }
  for (const width of [1280, 390]) {
    const page = await panel.open({ width })
    await panel.visit(page, '/phones')
    const phones = page.getByRole('region', { name: /, user-1$/ })
    await poll(() => page.getByText('Newer', { exact: true }).count()).toBe(4)
    for (const phone of await phones.all()) {
      const item = phone.getByRole('listitem').filter({ hasText: 'Older' })
      await item.getByRole('button', { name: 'Show it pulled open' }).click()
      const last = item.getByRole('button', { name: 'Remind me later' })
      await poll(() => last.evaluate(isSeenWhole)).toBe(true)
    }
    const names = page.getByRole('article').getByText('Demo shop', { exact: true })
    expect(await names.evaluateAll((all) => all.filter((name) => name.scrollWidth > name.clientWidth).length)).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    expect(await findSmallTargets(page)).toEqual([])
    await page.context().close()
  }
  expect(panel.faults).toEqual([])
})

/** In the page: nothing is drawn over its corners, and its list does not cut them off. */
function isSeenWhole(button: Element): boolean {
  const glass = button.closest('ul') as Element
  const [own, frame] = [button.getBoundingClientRect(), glass.getBoundingClientRect()]
  return own.top >= frame.top && own.bottom <= frame.bottom
}
