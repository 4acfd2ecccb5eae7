import type { Contents, LanguageTexts } from '@peyk/contract'
import type { SentTexts } from './shown-notification.ts'

/** A message as it is read in one of its languages; undefined for its plain texts. */
export function inLanguage(message: SentTexts & { contents?: Contents }, language: string | undefined): SentTexts {
  const own = language === undefined ? undefined : message.contents?.[language]
  if (language === undefined || !own) return message
  const { content, alertText, notification } = own
  const hasTexts = [content, alertText, notification?.title, notification?.body].some((text) => text !== undefined)
  return inWords(message, own, hasTexts ? directionOfLanguage(language) : undefined)
}

/** A message with other words; `dir` is theirs. */
export function inWords(
  message: SentTexts,
  { content, alertText, notification }: LanguageTexts,
  dir?: 'rtl' | 'ltr',
): SentTexts {
  const actions = message.notification?.actions?.map((action, place) => {
    const inPlace = notification?.actions?.[place]
    const named = notification?.actions?.find(({ id }) => id !== undefined && id === action.id)
    return { ...action, ...(named ?? (inPlace?.id === undefined ? inPlace : undefined)) }
  })
  return {
    ...message,
    ...(content !== undefined && { content }),
    ...(alertText !== undefined && { alertText }),
    notification: {
      ...message.notification,
      ...(dir && { dir }),
      ...notification,
      ...(actions && { actions }),
    },
  }
}

const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'])

export function directionOfLanguage(language: string): 'rtl' | 'ltr' {
  try {
    return rightToLeft.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
  } catch {
    return 'ltr'
  }
}
