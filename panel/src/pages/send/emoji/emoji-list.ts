import { celebration } from './groups/celebration.ts'
import { food } from './groups/food.ts'
import { hearts } from './groups/hearts.ts'
import { nature } from './groups/nature.ts'
import { objects } from './groups/objects.ts'
import { people } from './groups/people.ts'
import { shopping } from './groups/shopping.ts'
import { signs } from './groups/signs.ts'
import { smileys } from './groups/smileys.ts'
import { travel } from './groups/travel.ts'

export interface Emoji {
  sign: string
  name: { en: string; fa: string }
  /** What it is found by, in both languages. */
  words: readonly string[]
}

const written = { smileys, people, hearts, celebration, shopping, objects, food, nature, travel, signs }
export type EmojiGroup = keyof typeof written

/** Common emoji that phones of the last years can draw, by group. */
export const emojiGroups = Object.entries(written).map(([name, lines]) => ({
  name: name as EmojiGroup,
  emoji: lines.trim().split('\n').map(readLine),
}))

/** `sign name, other words | نام، واژه‌های دیگر` */
function readLine(line: string): Emoji {
  const [, sign = '', en = '', fa = ''] = /^(\S+) (.+) \| (.+)$/.exec(line) ?? []
  return {
    sign,
    name: { en: nameIn(en), fa: nameIn(fa) },
    words: [...new Set(wordsOf(`${en} ${fa}`))],
  }
}

function nameIn(words: string): string {
  return words.split(/[,،]/)[0] as string
}

/** Letters as they are typed on various keyboards are the same letter here; a half space parts words, as a space does. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll('ي', 'ی')
    .replaceAll('ك', 'ک')
    .replace(/[آأإ]/g, 'ا')
    .replace(/ؤ/g, 'و')
    .replace(/[ۀة]/g, 'ه')
    .replace(/\p{M}/gu, '')
    .split(/[\s\u200c,،]+/)
    .filter((word) => word !== '')
}
