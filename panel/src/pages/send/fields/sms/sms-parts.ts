const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extended = '^{}\\[~]|€\f'

export interface SmsSize {
  characters: number
  parts: number
  /** What still fits into the last part. */
  left: number
  /** Letters outside of the basic alphabet of SMS leave less room. */
  isWide: boolean
}

/** How many SMS a text takes: 160 characters of the basic alphabet or 70 others, fewer in each of several parts. */
export function countSmsParts(text: string): SmsSize {
  const isWide = [...text].some((letter) => !basic.includes(letter) && !extended.includes(letter))
  const characters = isWide
    ? text.length
    : [...text].reduce((sum, letter) => sum + (extended.includes(letter) ? 2 : 1), 0)
  const [single, each] = isWide ? [70, 67] : [160, 153]
  const parts = characters <= single ? Math.min(1, characters) : Math.ceil(characters / each)
  const room = parts <= 1 ? single : parts * each
  return { characters, parts, left: room - characters, isWide }
}
