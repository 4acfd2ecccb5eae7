import { expect, test } from 'vitest'
import { suggestTrackId } from './suggest-track-id.ts'

test.each([
  ['Nowruz sale 1406!', 'nowruz-sale-1406'],
  ['  Back -- to school ', 'back-to-school'],
  ['جشن نوروز', 'جشن-نوروز'],
  ['!!!', ''],
])('a campaign named %s is offered the trackId %s', (name, expected) => {
  expect(suggestTrackId(name)).toBe(expected)
})
