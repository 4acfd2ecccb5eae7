import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { isUuid } from '#base/ids.ts'
import { aliasOf, isAlias } from './installation-alias.ts'

const id = '0c6a2f0e-6f3e-4c56-9f0a-3d5f4f7f2f11'

it('names an installation alike within an app, otherwise in another, and never by its id', () => {
  const [shop, bank] = [randomBytes(32), randomBytes(32)]
  const alias = aliasOf(shop, id)
  expect(aliasOf(shop, id.toUpperCase())).toBe(alias)
  expect(aliasOf(bank, id)).not.toBe(alias)
  expect(aliasOf(shop, '0c6a2f0e-6f3e-4c56-9f0a-3d5f4f7f2f12')).not.toBe(alias)
  expect(isAlias(alias)).toBe(true)
  expect(isUuid(alias)).toBe(false)
  expect(isAlias(id)).toBe(false)
})
