import { expect, test } from 'vitest'
import * as endpoints from './events.ts'
import { checker } from './schema/check.ts'

const checkTrack = checker(endpoints.track.body as NonNullable<typeof endpoints.track.body>)
const checkPurchase = checker(endpoints.trackPurchase.body as NonNullable<typeof endpoints.trackPurchase.body>)

test('what old back ends send is taken: numbers as text, null for absent, JSON in a form, an empty list as data', () => {
  expect(
    checkTrack({ userId: 42, installationId: null, eventName: 'Open', eventTime: null, eventData: '{"a":"1"}' }),
  ).toEqual({
    value: { userId: '42', eventName: 'Open', eventData: { a: '1' } },
  })
  expect(checkTrack({ userId: 'sara', eventName: 'Open', eventData: [] }).fault).toBeUndefined()
  expect(checkPurchase({ userId: 'sara', eventName: 'Buy', revenue: '-12.5', currency: 'irr' })).toEqual({
    value: { userId: 'sara', eventName: 'Buy', revenue: -12.5, currency: 'irr' },
  })
})

test('nothing is coerced inside eventData', () => {
  const eventData = { count: '5', isNew: 'true', none: null }
  expect(checkTrack({ userId: 7, eventName: 'Open', eventData })).toEqual({
    value: { userId: '7', eventName: 'Open', eventData },
  })
})

test.each([
  [{ userId: 'sara' }, '"eventName" is required.'],
  [{ userId: 'sara', eventName: '' }, '"eventName": expected an event name of 1 to 255 bytes, got "".'],
  [{ userId: 'sara', eventName: 'ß'.repeat(200) }, '"eventName": expected an event name of 1 to 255 bytes'],
  [{ userId: 'a b', eventName: 'Open' }, '"userId": expected a user id'],
  [{ userId: '*', eventName: 'Open' }, '"userId": expected a user id'],
  [{ userId: 'sara', eventName: 'Open', eventData: [1] }, '"eventData": expected an object of texts'],
  [{ userId: 'sara', eventName: 'Open', eventData: 'text' }, '"eventData": expected an object of texts'],
  [
    { userId: 'sara', eventName: 'Open', eventTime: {} },
    '"eventTime": expected epoch milliseconds or an ISO 8601 date',
  ],
])('%j is refused with a sentence that says why', (body, message) => {
  expect(checkTrack(body).fault?.message).toContain(message)
})

test.each([[{}], [{ revenue: 'much' }], [{ revenue: '' }], [{ revenue: true }], [{ revenue: Number.NaN }]])(
  'a purchase with %j is refused',
  (fields) => {
    expect(checkPurchase({ userId: 'sara', eventName: 'Buy', ...fields }).fault?.field).toBe('revenue')
  },
)
