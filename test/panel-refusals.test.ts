import { expect, test } from 'vitest'
import { headlinesFa } from '../panel/src/texts/fa/refusals.ts'
import { errorCatalogue } from '../server/src/base/errors.ts'

test('every code of the service has a headline in Persian, and there are no others', () => {
  expect(Object.keys(headlinesFa).sort()).toEqual(Object.keys(errorCatalogue).sort())
})
