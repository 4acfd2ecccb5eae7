import { imageOf } from '#parts/notification-preview/shown-notification.ts'
import type { Draft } from '../draft/draft.ts'
import { wordingsOf } from '../variants/draft-variants.ts'

export interface UsedImage {
  url: string
  /** The name of the first variant that has it, where there are several. */
  variant: string | undefined
  /** The first of its languages that has it, where that is not the default. */
  language: string | undefined
}

/** The images of a message in all its variants and languages, each once. */
export function usedImages(draft: Draft): UsedImage[] {
  const all = wordingsOf(draft).flatMap(({ notification, languages }, place) => {
    const variant = draft.test.isOn ? draft.test.variants[place]?.name : undefined
    const own = { url: imageOf(notification), variant, language: undefined }
    const translated = Object.entries(languages).map(([language, { mediaUrl, rest }]) => {
      const mediaType = rest.notification?.mediaType ?? notification.mediaType
      return { url: imageOf({ mediaUrl, mediaType }), variant, language }
    })
    return [own, ...translated]
  })
  const found = new Map<string, UsedImage>()
  for (const { url, ...place } of all) {
    if (url !== undefined && !found.has(url)) found.set(url, { url, ...place })
  }
  return [...found.values()]
}
