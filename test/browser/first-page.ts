import { statSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { waitForAll } from '../helpers/panel.ts'

/** What a browser loads for the page that it is at, zipped. Fonts come apart: texts are there before them. */
export async function countBytes(page: Page): Promise<number> {
  await page.reload()
  await waitForAll(page)
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  const names = loaded.flatMap((address) => address.split('/panel/assets/')[1] ?? []).filter((name) => !isFont(name))
  const sizes = names.map((name) => statSync(new URL(`../../panel/dist/assets/${name}.gz`, import.meta.url)).size)
  return sizes.reduce((sum, size) => sum + size, 0)
}

function isFont(name: string): boolean {
  return name.endsWith('.woff2')
}
