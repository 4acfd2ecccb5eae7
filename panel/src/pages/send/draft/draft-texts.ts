import type { LanguageTexts } from '@peyk/contract'

/** What is typed in one language. What is empty is as in the message. */
export interface DraftTexts {
  content: string
  alertText: string
  title: string
  body: string
  clickUrl: string
  mediaUrl: string
  /** The labels of the message's buttons, in their order. */
  actions: string[]
  sms: string
  /** What has no field on the page stays as it came. */
  rest: LanguageTexts
}

export type DraftLanguages = Record<string, DraftTexts>

export const emptyTexts: DraftTexts = {
  content: '',
  alertText: '',
  title: '',
  body: '',
  clickUrl: '',
  mediaUrl: '',
  actions: [],
  sms: '',
  rest: {},
}
