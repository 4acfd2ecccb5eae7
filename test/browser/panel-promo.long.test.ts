import { expect, it } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'
import { story } from '../helpers/runner/story.ts'

const panel = await openPanel()
const page = await panel.open()
const preview = page.getByRole('region', { name: 'Preview of codes.csv' })

const choose = (text: string) =>
  page.setInputFiles('input[type=file]', { name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

async function readCodes(): Promise<{ codes: number; left: number; duplicates: number }> {
  return page.evaluate(async () => {
    const response = await fetch('/panel/api/apps/demo/campaigns/uploads')
    return (await response.json()).promo
  })
}

story('promo codes', () => {
  it('a file of codes is shown before it is stored; its header and its wrong lines are left out, and codes are added', async () => {
    await panel.visit(page, '/campaigns')
    await page.getByRole('button', { name: 'New campaign' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Uploads')
    await page.getByRole('button', { name: 'Create campaign' }).click()
    await page.waitForURL('**/campaigns/uploads')

    await choose('id;promo_code\n1;UP-1\n2;UP 2\n3;UP-3\n4;UP-3\n5;"UP!4"\n')
    const column = preview.getByRole('combobox', { name: 'Column with the codes' })
    expect(await column.inputValue()).toBe('Column 2: promo_code, UP-1')
    const header = preview.getByRole('switch', { name: 'The first line is a header' })
    expect(await header.isChecked()).toBe(true)
    await preview.getByText('“promo_code” is left out.').waitFor()
    const wrong = preview.getByRole('region', { name: '2 lines are not codes' })
    const rows = await wrong.getByRole('row').allInnerTexts()
    expect(rows.map((row) => row.replace(/\s+/g, ' '))).toEqual([
      'Line Text and reason',
      '3 UP 2 has a space',
      '6 UP!4 has a symbol other than the hyphen',
    ])
    expect(await findBarriers(page)).toEqual([])
    await preview.getByRole('button', { name: 'Add 2 codes, leave 2 lines out' }).press('Enter')
    await page.getByText('3 rows were read').waitFor()
    await page.getByText('2 lines that are not codes were left out').waitFor()
    await page.getByText('2 new codes are ready to use').waitFor()
    expect(await readCodes()).toMatchObject({ codes: 2, left: 2, duplicates: 1 })

    await page.getByRole('button', { name: 'Upload codes' }).click()
    await choose('CODE\nUP-3\nUP-5\n')
    await header.press('Space')
    await preview.getByText('“CODE” is taken as a code.').waitFor()
    expect(await preview.getByLabel('Keep the 2 current codes and add these').isChecked()).toBe(true)
    await preview.getByRole('button', { name: 'Add 3 codes' }).click()
    await page.getByText('One code already existed and was skipped').waitFor()
    await page.getByText('2 new codes are ready to use').waitFor()
    expect(await readCodes()).toMatchObject({ codes: 4, left: 4 })
    expect(panel.faults).toEqual([])
  })

  it('a file without a code says why, and nothing is stored', async () => {
    await page.getByRole('button', { name: 'Upload codes' }).click()
    await choose('\ufffd'.repeat(3))
    await preview.getByText('No codes in this file').waitFor()
    await preview.getByRole('button', { name: 'Choose another file' }).click()
    await page.setInputFiles('input[type=file]', {
      name: 'codes.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('\ufeffA\n', 'utf16le'),
    })
    await preview.getByText('The file is UTF-16 text.').waitFor()
    expect(await readCodes()).toMatchObject({ codes: 4 })
    await preview.getByRole('button', { name: 'Choose another file' }).click()
  })

  it('a file of a million codes is read while the page goes on', async () => {
    const buffer = Buffer.from(Array.from({ length: 1_000_000 }, (_, index) => `MANY-${index}\n`).join(''))
    await page.evaluate(() => {
      const turns = { count: 0 }
      Object.assign(window, { turns })
      setInterval(() => turns.count++, 1)
    })
    await page.setInputFiles('input[type=file]', { name: 'codes.csv', mimeType: 'text/csv', buffer })
    await preview.getByRole('button', { name: 'Add 1,000,000 codes' }).waitFor()
    // As many turns as there are slices, at the least.
    await poll(() =>
      page.evaluate(() => (window as unknown as { turns: { count: number } }).turns.count),
    ).toBeGreaterThan(20)
    await preview.getByRole('button', { name: 'Cancel' }).click()
    expect(await readCodes()).toMatchObject({ codes: 4 })
    expect(panel.faults).toEqual([])
  })
})
