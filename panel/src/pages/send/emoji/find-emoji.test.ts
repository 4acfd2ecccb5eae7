import { expect, it } from 'vitest'
import { emojiGroups } from './emoji-list.ts'
import { findEmoji } from './find-emoji.ts'

const signsOf = (search: string) => findEmoji(search).map(({ sign }) => sign)

it('has every emoji once, with a name in both languages', () => {
  const all = emojiGroups.flatMap(({ emoji }) => emoji)
  expect(all.length).toBeGreaterThan(350)
  expect(
    all.filter(({ sign, name }) => !/\p{Emoji}/u.test(sign) || !name.en || !/\p{Script=Arabic}/u.test(name.fa)),
  ).toEqual([])
  expect(new Set(all.map(({ sign }) => sign)).size).toBe(all.length)
})

it.each([
  ['gift', '🎁'],
  ['pizz', '🍕'],
  ['Red Heart', '❤️'],
  ['تخفیف', '🏷️'],
  ['هديه', '🎁'],
  ['آب', '💧'],
  ['اب', '💧'],
  ['توت فرنگی', '🍓'],
  ['🍓', '🍓'],
])('%s finds %s', (search, sign) => {
  expect(signsOf(search)).toContain(sign)
})

it('has those first that are called so', () => {
  expect(signsOf('هدیه')[0]).toBe('🎁')
  expect(signsOf('rocket')[0]).toBe('🚀')
})

it('finds nothing by the middle of a word, or when one of the words fits nothing', () => {
  expect(signsOf('izza')).toEqual([])
  expect(signsOf('red qqq')).toEqual([])
})
