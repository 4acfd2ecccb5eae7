import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel()

test('a message is written in several languages, previewed and checked in each, kept as a template, and sent', async () => {
  const page = await panel.open()
  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  const tab = (name: string) => page.getByRole('tab', { name })
  const preview = page.getByRole('region', { name: 'Preview' })
  const add = async (language: string) => {
    await page.getByRole('combobox', { name: 'Add language' }).click()
    await page.getByPlaceholder('Search languages').fill(language)
    await page.getByRole('option', { name: language }).click()
  }
  await panel.visit(page, '/send')
  await page.getByRole('radio', { name: 'Specific users' }).check()
  await field('users').fill('user-1')
  await field('notification.title').fill('Sale')
  await field('content').fill('Hello {{ userId }}')

  await add('Persian')
  await tab('Persian').getByRole('img', { name: 'Nothing is written yet' }).waitFor()
  await field('notification.title').fill('حراج')
  await tab('Persian').getByRole('img', { name: 'One text is missing: the default is used' }).waitFor()
  await preview.getByText('حراج').first().waitFor()
  await preview.getByText('Hello user-1').first().waitFor()
  await field('content').fill('سلام {{ userId }}')
  await tab('Persian').getByRole('img', { name: 'All texts are written' }).waitFor()
  await preview.getByText('سلام user-1').first().waitFor()
  expect(await field('content').evaluate((input) => getComputedStyle(input).direction)).toBe('rtl')
  expect(await findBarriers(page)).toEqual([])

  await add('German')
  await field('notification.title').fill('{{ user.')
  await page.getByRole('tab', { name: 'Default', exact: true }).click()
  await preview.getByText('Sale').first().waitFor()
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await poll(() => tab('German').getAttribute('aria-selected')).toBe('true')
  await poll(() => page.locator(':focus').getAttribute('data-field')).toBe('notification.title')
  await page.getByRole('button', { name: 'Remove German' }).click()
  await page.getByText('The language was removed.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await tab('German').click()
  await field('notification.title').fill('Ausverkauf')

  await page.getByRole('button', { name: 'Check recipients' }).click()
  const languages = page.getByRole('heading', { name: 'Languages of the devices' }).locator('..')
  await poll(async () =>
    (await languages.getByRole('listitem').allTextContents()).map((text) => text.replace(/\d+/, '')),
  ).toEqual([...['Persian', 'German', 'Default']])
  expect(await findBarriers(page)).toEqual([])

  await page.getByRole('button', { name: 'Drafts' }).click()
  await page.getByRole('menuitem', { name: 'Save as template' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Sale in languages')
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByText('Template “Sale in languages” saved.').waitFor()
  const { body: template } = await panel.call('GET', '/api/templates/sale-in-languages')
  expect(template.message.contents).toEqual({
    fa: { content: 'سلام {{ userId }}', notification: { title: 'حراج' } },
    de: { notification: { title: 'Ausverkauf' } },
  })

  await page.getByRole('button', { name: /^Send to [\d,]+ devices?…/ }).click()
  await page.getByRole('button', { name: /devices? now$/ }).click()
  await page.waitForURL(/\/messages\/[0-9a-f-]{36}$/)
  await page.getByRole('combobox', { name: 'Languages', exact: true }).selectOption('German')
  await page.getByText('Ausverkauf').first().waitFor()
  expect(await findBarriers(page)).toEqual([])
  const id = page.url().split('/').at(-1)
  await poll(async () => (await panel.call('GET', `/api/messages/${id}`)).body.progress.waiting).toBe(0)

  await panel.visit(page, '/send?template=sale-in-languages')
  await tab('Persian').click()
  expect(await field('notification.title').inputValue()).toBe('حراج')
  expect(panel.faults).toEqual([])
})
