import { type Emoji, emojiGroups, wordsOf } from './emoji-list.ts'

/**
 * Those that have, for each of the words, one that begins with it; first those that are called so. An emoji that is pasted
 * finds itself.
 */
export function findEmoji(search: string): Emoji[] {
  const asked = wordsOf(search)
  const isCalledSo = ({ name }: Emoji) =>
    Object.values(name).some((each) => wordsOf(each).join(' ').startsWith(asked.join(' ')))
  return emojiGroups
    .flatMap(({ emoji }) => emoji)
    .filter(
      ({ sign, words }) => sign === search.trim() || asked.every((part) => words.some((word) => word.startsWith(part))),
    )
    .toSorted((one, other) => Number(isCalledSo(other)) - Number(isCalledSo(one)))
}

export function emojiOf(sign: string): Emoji | undefined {
  return emojiGroups.flatMap(({ emoji }) => emoji).find((each) => each.sign === sign)
}
