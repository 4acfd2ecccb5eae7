import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel({ isShared: false })

test('a draft saves itself, becomes a template, is not written over by another window, and is gone when it is sent', async () => {
  const page = await panel.open()
  const other = await panel.open()
  const content = page.locator('[data-field="content"]')
  const saved = page.getByText('Saved ·')
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Drafts' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await panel.visit(page, '/send')
  await content.fill('Everything at half price')
  await saved.waitFor()

  await choose('Save as template')
  await page.getByRole('textbox', { name: 'Name' }).fill('Half price')
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByText('Template “Half price” saved.').waitFor()
  expect((await panel.call('GET', '/api/templates/half-price')).body.message).toEqual({
    content: 'Everything at half price',
  })

  await panel.visit(other, '/send')
  await other.getByRole('button', { name: 'Drafts' }).click()
  await other.getByRole('menuitem', { name: 'All drafts' }).click()
  expect(await findBarriers(other)).toEqual([])
  await other.getByRole('button', { name: /^Everything at half price/ }).click()
  const elsewhere = other.locator('[data-field="content"]')
  await poll(() => elsewhere.inputValue()).toBe('Everything at half price')
  const stored = other.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok())
  await elsewhere.fill('Changed elsewhere')
  await stored
  await content.fill('Changed here')
  await page.getByText('You changed this draft in another window').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Load the saved version' }).click()
  await poll(() => content.inputValue()).toBe('Changed elsewhere')

  const drafts = '**/panel/api/apps/demo/drafts/*'
  await page.route(drafts, (route) => route.abort())
  await content.fill('Typed while the service is away')
  await page.getByText('Not saved yet').waitFor()
  await page.reload()
  await poll(() => content.inputValue()).toBe('Typed while the service is away')
  await page.unroute(drafts)
  await saved.waitFor()

  await page.locator('[data-field="users"]').fill('user-1')
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await page.getByRole('button', { name: /^Send to [\d,]+ devices?…/ }).click()
  await page.getByRole('button', { name: /devices? now$/ }).click()
  await content.waitFor({ state: 'detached' })
  await panel.visit(page, '/send')
  expect(await content.inputValue()).toBe('')
  await choose('All drafts')
  await page.getByText('No drafts').waitFor()
  expect(panel.faults).toEqual([])
})

test('a template is found, duplicated, deleted, brought back and used', async () => {
  const message = { content: 'Welcome', notification: { title: 'Hello there' } }
  await panel.call('POST', '/api/templates', { id: 'greeting', name: 'Greeting', message })
  const page = await panel.open()
  await panel.visit(page, '/templates')
  const card = page.getByRole('article', { name: 'Greeting', exact: true })
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'More about “Greeting”' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await page.getByRole('textbox', { name: 'Search templates' }).fill('greet')
  await card.waitFor()
  expect(await findBarriers(page)).toEqual([])
  await choose('Duplicate')
  await page.getByRole('article', { name: 'Greeting (copy)' }).waitFor()
  await choose('Delete')
  await page.getByText('“Greeting” deleted.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await card.getByRole('link', { name: 'Use' }).click()
  await poll(() => page.locator('[data-field="content"]').inputValue()).toBe('Welcome')
  expect(panel.faults).toEqual([])
})

test('a draft that is left while it is typed goes on without a quarrel, and a new message is a new one', async () => {
  const page = await panel.open()
  const content = page.locator('[data-field="content"]')
  await panel.visit(page, '/send?new=yes')
  await content.fill('One')
  await page.getByText('Saved ·').waitFor()
  const saves: number[] = []
  page.on('response', (response) => {
    if (response.request().method() === 'PUT' && response.url().includes('/drafts/')) saves.push(response.status())
  })
  await content.fill('One and two')
  await panel.visit(page, '/campaigns')
  await panel.visit(page, '/send?trackId=autumn')
  await poll(() => content.inputValue()).toBe('One and two')
  await poll(() => saves.length).toBeGreaterThan(1)
  await page.getByText('Saved ·').waitFor()
  expect(saves.every((status) => status === 200)).toBe(true)

  await panel.visit(page, '/messages')
  await page.getByRole('link', { name: 'New message' }).click()
  await page.getByText('Your draft was set aside to make room for this one.').waitFor()
  expect(await content.inputValue()).toBe('')
  await page.getByRole('button', { name: 'Bring my draft back' }).click()
  await poll(() => content.inputValue()).toBe('One and two')
  expect(panel.faults).toEqual([])
})
