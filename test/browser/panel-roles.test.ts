import { expect, it } from 'vitest'
import { openPanel } from '../helpers/panel.ts'
import { openRoles } from './panel-roles.ts'

const panel = await openPanel()

it('offers an analyst nothing that they may not do', { timeout: 300_000 }, async () => {
  const { check, pagesWithOffers } = await openRoles(panel)
  expect(await check('analyst', pagesWithOffers)).toEqual([])
})
