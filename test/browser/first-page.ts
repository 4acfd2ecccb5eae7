import { statSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { waitForAll } from '../helpers/panel.ts'

/** What a browser loads for the page that it is at, zipped. */
export async function countBytes(page: Page): Promise<number> {
  await page.reload()
  await waitForAll(page)
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  const names = loaded.flatMap((address) => address.split('/panel/assets/')[1] ?? [])
  const sizes = names.map((name) => statSync(new URL(`../../panel/dist/assets/${name}.gz`, import.meta.url)).size)
  return sizes.reduce((sum, size) => sum + size, 0)
}
