import type { Texts } from './en.ts'
import { firstFa } from './fa/first.ts'
import { pagesFa } from './fa/pages.ts'

/** Every text of the panel in Persian. */
export const fa: Texts = { ...firstFa, ...pagesFa }
