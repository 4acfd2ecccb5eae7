import { errorCatalogue } from '@peyk/server/base/errors.ts'
import { expect, test } from 'vitest'
import { headlinesFa } from '../panel/src/texts/fa/refusals.ts'

test('every code of the service has a headline in Persian, and there are no others', () => {
  expect(Object.keys(headlinesFa).sort()).toEqual(Object.keys(errorCatalogue).sort())
})
