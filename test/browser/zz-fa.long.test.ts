import { expect, it } from 'vitest'
import { openPanel } from '../helpers/panel.ts'
import { countBytes } from './first-page.ts'

const panel = await openPanel()
it.each(['en', 'fa'] as const)('bytes in %s', async (language) => {
  const bytes = await countBytes(await panel.open({ language }))
  console.log('BYTES', language, bytes)
  expect(bytes).toBeLessThan(300_000)
})
