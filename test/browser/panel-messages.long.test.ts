import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel()
const page = await panel.open()
const send = async (body: object): Promise<string> => {
  const { status, body: answer } = await panel.call('POST', '/api/push/toUsers', { user: 'user-1', ...body })
  expect(status, JSON.stringify(answer)).toBe(200)
  return answer.id
}
const choose = (text: string) =>
  page.setInputFiles('input[type=file]', { name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

test('a campaign is made, takes codes, refuses a wrong file, and says who got a code', async () => {
  await panel.visit(page, '/campaigns')
  await page.getByRole('button', { name: 'New campaign' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Autumn sale')
  await page.getByRole('button', { name: 'Create campaign' }).click()
  await page.waitForURL('**/campaigns/autumn-sale')

  await choose('AUTUMN-1\nnot a code\nAUTUMN-2\n')
  await page.getByText('One line is not a code').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('No codes for this campaign').waitFor()
  await choose('AUTUMN-1\nAUTUMN-2\nAUTUMN-2\n')
  await page.getByRole('button', { name: 'Add 2 codes' }).click()
  await page.getByText('3 rows were read').waitFor()
  await page.getByText('2 new codes are ready to use').waitFor()
  expect(await findBarriers(page)).toEqual([])

  const id = await send({ trackId: 'autumn-sale', content: 'Your code: {{ promoCode }}' })
  await page.getByRole('link', { name: 'Your code: {{ promoCode }}' }).waitFor()
  await poll(async () => (await panel.call('GET', `/api/messages/${id}`)).body.progress.waiting).toBe(0)
  await page.reload()
  const replaceWith = async (text: string, button: string) => {
    await page.getByRole('button', { name: 'Upload codes' }).click()
    await choose(text)
    await page.getByLabel('Replace them').check()
    await page.getByRole('button', { name: button }).click()
  }
  await replaceWith('AUTUMN-1\nAUTUMN-7\n', 'Replace with 2 codes')
  await page.getByText('One code of the old set is still unused').waitFor()
  await page.getByRole('button', { name: 'Replace codes', exact: true }).click()
  await page.getByText('One code was given out before').waitFor()

  await page.route('**/campaigns/autumn-sale/codes?*', () => {}, { times: 1 })
  await replaceWith('AUTUMN-8\n', 'Replace with one code')
  await page.getByRole('button', { name: 'Replace codes', exact: true }).click()
  await page.getByText('Uploading codes.csv').waitFor()
  await page.getByRole('link', { name: 'All campaigns' }).click()
  const question = page.getByRole('dialog', { name: 'Stop the upload?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Uploading codes.csv').waitFor()
  await page.getByRole('link', { name: 'All campaigns' }).click()
  await question.getByRole('button', { name: 'Stop and leave' }).click()
  await page.getByRole('heading', { name: 'Campaigns' }).waitFor()

  await panel.visit(page, '/promo')
  await page.getByRole('link', { name: 'Autumn sale' }).waitFor()
  const lookUp = async (words: string) => {
    await page.getByRole('textbox', { name: 'Code' }).fill(words)
    await page.getByRole('button', { name: 'Look up' }).click()
  }
  await lookUp('AUTUMN-1')
  await page.getByRole('link', { name: 'user-1' }).waitFor()
  await lookUp('AUTUMN-7')
  await page.getByText('AUTUMN-7 has not been given out yet').waitFor()
  await lookUp('WINTER')
  await page.getByText('WINTER was never given out').waitFor()
  expect(panel.faults).toEqual([])
})
