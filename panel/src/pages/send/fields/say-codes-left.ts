import type { CodesLeft } from '@peyk/contract'
import type { Texts } from '#texts/en.ts'
import type { Format } from '#texts/format.ts'
import { judgeCodes } from './codes-left.ts'

/** How many codes there are for a message, in words. */
export function sayCodesLeft(
  left: CodesLeft,
  trackId: string,
  words: Texts['send']['personal'],
  format: Format,
): { text: string; areNone: boolean } {
  const [campaign, global] = [format.number(left.campaign ?? 0), format.number(left.global ?? 0)]
  const judged = judgeCodes(left, trackId)
  const texts = {
    choose: words.promoChoose,
    none: words.promoNone,
    global: words.promoGlobal(global),
    both: words.promoLeft(campaign, global),
  }
  return { text: texts[judged], areNone: judged === 'none' }
}
