import { firstEn } from './en/first.ts'
import { pagesEn } from './en/pages.ts'

/** Every text of the panel in English. The shape is that of all languages. */
export const en = { ...firstEn, ...pagesEn }

export type Texts = typeof en
