import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel({ isShared: false })

test('what a phone without a network or a busy provider did not get comes later', async () => {
  const page = await panel.open()
  await panel.visit(page, '/phones')
  const phone = (kind: string) => page.getByRole('region', { name: `${kind}, user-1` })
  const iphoneOnline = phone('iPhone').getByRole('switch', { name: 'Online' })
  await iphoneOnline.click()
  await phone('iPhone').getByLabel('Offline').waitFor()
  const fcm = page.getByRole('combobox', { name: 'FCM' })
  await fcm.click()
  await page.getByRole('option', { name: 'Too many requests' }).click()
  await page.getByText('Answers 429').waitFor()
  const body = { user: 'user-1', content: 'On its way', notification: { title: 'Order 43' } }
  expect((await panel.call('POST', '/api/push/toUsers', body)).status).toBe(200)
  await phone('Browser').getByText('Order 43').waitFor()
  for (const kind of ['iPhone', 'Android']) expect(await phone(kind).getByText('Order 43').count()).toBe(0)

  await iphoneOnline.click()
  await phone('iPhone').getByText('Order 43').waitFor()
  await fcm.click()
  await page.getByRole('option', { name: 'Works' }).click()
  await phone('Android').getByText('Order 43').waitFor()
  expect(panel.faults).toEqual([])
})

test('the crowd is there while it has members, and goes at the pace that is chosen', async () => {
  const readPace = async () => (await panel.simulator('GET', '/crowd')).body.pace
  const page = await panel.open()
  await panel.simulator('POST', '/crowd', { size: 3 })
  await panel.visit(page, '/phones')
  const crowd = page.locator('section').filter({ hasText: '3 simulated users' })
  await crowd.getByText('Send to everybody').waitFor()
  expect(await findBarriers(page)).toEqual([])
  for (const [name, pace] of [
    ['Fast', 10],
    ['Paused', 0],
    ['Normal', 1],
  ] as const) {
    await crowd.getByText(name, { exact: true }).click()
    await poll(readPace).toBe(pace)
  }
  await panel.simulator('POST', '/crowd', { size: 0, pace: 3 })
  await poll(() => crowd.count()).toBe(0)
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
      await item.getByRole('button', { name: 'Show expanded' }).click()
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
