import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

// Categories and limits are of the app: other tests of a shared one would meet them.
const panel = await openPanel({ isShared: false })

test('a category is made, limits are set, a user refuses it, and a message of it says whom it does not reach', async () => {
  const page = await panel.open()
  const dialog = page.getByRole('dialog')
  const readApp = async () => (await panel.call('GET', '/api/app')).body

  await panel.visit(page, '/settings/rules')
  await page.getByText('No categories yet').waitFor()
  await page.getByRole('button', { name: 'New category' }).click()
  await dialog.getByLabel('Id', { exact: true }).fill('news')
  await dialog.getByLabel('Name', { exact: true }).fill('News')
  await dialog.getByLabel('Description (optional)').fill('Once a week.')
  await dialog.getByRole('button', { name: 'Add a language' }).click()
  await dialog.getByLabel('Language', { exact: true }).nth(1).fill('fa')
  await dialog.getByLabel('Name', { exact: true }).nth(1).fill('خبرها')
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Once a week.').waitFor()
  expect((await panel.call('GET', '/api/categories')).body.data).toMatchObject([
    { id: 'news', name: { en: 'News', fa: 'خبرها' }, description: { en: 'Once a week.' } },
  ])

  await page.getByLabel('Hold messages during quiet hours').check()
  await page.getByLabel('From', { exact: true }).fill('23:00')
  await page.getByLabel('To', { exact: true }).fill('23:00')
  await page.getByText('Choose another time than the first').waitFor()
  await page.getByLabel('To', { exact: true }).fill('07:30')
  await page.getByRole('button', { name: 'Add a cap' }).click()
  await page.getByLabel('Messages', { exact: true }).fill('2')
  await page.getByText(/^Sends to groups ignore these limits/).waitFor()
  await page.getByLabel('Share of users').fill('5')
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await poll(readApp).toMatchObject({
    quietHours: { from: '23:00', to: '07:30' },
    caps: [{ count: 2, window: '24h' }],
    controlGroup: 5,
  })
  // What follows is to be the same at any time of the day, for whoever is in the control group by chance.
  await panel.call('PUT', '/api/app', { quietHours: null, caps: [], controlGroup: 0 })

  await panel.visit(page, '/users/user-1')
  await page.getByRole('switch', { name: 'News' }).uncheck()
  const readWanted = async () => (await panel.call('GET', '/api/users/user-1/preferences')).body.categories
  await poll(readWanted).toEqual({ news: false })
  expect(await findBarriers(page)).toEqual([])

  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  await panel.visit(page, '/send')
  await page.getByRole('radio', { name: 'Specific users' }).check()
  await field('users').fill('user-1')
  await field('notification.title').fill('Ten new books')
  await field('content').fill('Come and see')
  await page.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option', { name: 'News' }).click()
  await page.getByLabel('Send in quiet hours, too').waitFor()
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await page.getByText('Not everybody gets it now').waitFor()
  await page.getByText(/^\d+ do not want this category$/).waitFor()
  expect(await findBarriers(page)).toEqual([])

  await panel.visit(page, '/settings/rules')
  await page.getByRole('button', { name: 'Delete News' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No categories yet').waitFor()
  await poll(readWanted).toEqual({})
  expect(panel.faults).toEqual([])
})
