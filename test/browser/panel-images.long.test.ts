import { expect, test } from 'vitest'
import { makePng } from '../helpers/images.ts'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel({ isShared: false })

test('an image is uploaded, dropped and pasted, seen before it is sent, and deleted in the settings', async () => {
  const page = await panel.open()
  const field = page.locator('[data-field="notification.mediaUrl"]')
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    page.locator('input[type=file]').first().setInputFiles({ name, mimeType, buffer })
  await panel.visit(page, '/send?user=user-1')

  await choose('sale.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await page.getByText('Choose a JPEG, PNG, WebP or GIF file.').waitFor()
  await choose('sale.png', 'image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await page.getByText('Expected a whole JPEG, PNG, WebP or GIF file').waitFor()
  await choose('large.png', 'image/png', Buffer.alloc(1_000_001))
  await page.getByText('Phones load up to 1 MB').waitFor()

  await choose('sale.png', 'image/png', makePng(1200, 600))
  await page.getByText('1,200 × 600 px').waitFor()
  await page.getByText('Only this machine can load it.').waitFor()
  const url = await field.inputValue()
  expect(url).toMatch(/\/images\/[0-9a-f]{64}\.png$/)
  await poll(() => page.locator(`article img[src="${url}"]`).count()).toBeGreaterThan(0)
  expect(await findBarriers(page)).toEqual([])

  for (const kind of ['drop', 'paste'] as const) {
    const bytes = [...makePng(30, 20, { text: kind })]
    await field.evaluate(
      (input, { kind, bytes }) => {
        const data = new DataTransfer()
        data.items.add(new File([new Uint8Array(bytes)], 'other.png', { type: 'image/png' }))
        const init = { bubbles: true, cancelable: true }
        input.dispatchEvent(
          kind === 'drop'
            ? new DragEvent('drop', { ...init, dataTransfer: data })
            : new ClipboardEvent('paste', { ...init, clipboardData: data }),
        )
      },
      { kind, bytes },
    )
    await page.getByText('30 × 20 px').waitFor()
    await page.getByRole('button', { name: 'Remove: Image' }).click()
    await poll(() => field.inputValue()).toBe('')
  }

  await field.fill('http://shop.example/sale.png')
  await page.getByText('Phones load images over https only.').waitFor()
  await field.fill('https://localhost:1/sale.png')
  await page.getByText('Your browser cannot load an image from this address.').waitFor()
  await page.locator('[data-field=content]').fill('With an image that is nowhere')
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Image: Your browser cannot load an image' }).waitFor()
  await page.getByRole('button', { name: 'One warning' }).waitFor()

  await panel.visit(page, '/settings/images')
  await page.getByText('3 of 5,000 images').waitFor()
  expect(await findBarriers(page)).toEqual([])
  const rows = page.locator('tbody tr')
  await rows.last().getByRole('button', { name: 'Delete image' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete image' }).click()
  await page.getByText('2 of 5,000 images').waitFor()
  expect((await panel.call('GET', '/api/images')).body.data).toHaveLength(2)
  expect(panel.faults).toEqual([])
})
