import { expect, it } from 'vitest'
import { StoreContact } from './store-contact.ts'

const aliveMs = 15_000
const noted = (...times: number[]) => {
  const storeContact = new StoreContact(aliveMs)
  for (const atMs of times) storeContact.note(atMs)
  return storeContact
}
const everyFourSeconds = (fromMs: number, toMs: number) =>
  Array.from({ length: (toMs - fromMs) / 4_000 + 1 }, (_, index) => fromMs + index * 4_000)

it('comes when the database has answered all the time for as long as a process counts as alive', () => {
  expect(new StoreContact(aliveMs).isSteady(0)).toBe(false)
  expect(noted(0).isSteady(0)).toBe(false)
  expect(noted(...everyFourSeconds(0, 12_000)).isSteady(14_999)).toBe(false)
  expect(noted(...everyFourSeconds(0, 16_000)).isSteady(16_000)).toBe(true)
})

it('goes when the database has not answered for a while, and begins anew', () => {
  const before = everyFourSeconds(0, 40_000)
  expect(noted(...before).isSteady(47_000)).toBe(true)
  expect(noted(...before).isSteady(48_000)).toBe(false)
  expect(noted(...before, 48_000).isSteady(48_000)).toBe(false)
  expect(noted(...before, ...everyFourSeconds(48_000, 60_000)).isSteady(62_999)).toBe(false)
  expect(noted(...before, ...everyFourSeconds(48_000, 64_000)).isSteady(64_000)).toBe(true)
})
