import type { PreviewPlatform } from '#parts/notification-preview/preview-props.ts'
import type { Draft } from '../draft/draft.ts'

type Part = 'title' | 'body'

/**
 * About how many characters a notification shows collapsed, and expanded; nothing where that shows (nearly) all.
 * Devices differ by width, font and language. The numbers are those of published guides: Braze has 49 for Android's lock
 * screen, Emarsys lines of 20 to 55 and up to 460 when open, Alibaba Cloud 40 for a title on iOS, Reteno 178 for the four
 * lines of a text there; for Chrome on a desktop 50 and 120 are usually given.
 */
const roomOf: Record<Part, Record<PreviewPlatform, { collapsed: number; expanded?: number }>> = {
  title: {
    android: { collapsed: 50, expanded: 65 },
    ios: { collapsed: 40 },
    web: { collapsed: 50 },
  },
  body: {
    android: { collapsed: 49, expanded: 450 },
    ios: { collapsed: 178 },
    web: { collapsed: 120 },
  },
}
const platforms: readonly PreviewPlatform[] = ['android', 'ios', 'web']
const nearShare = 0.8

export interface Room {
  platform: PreviewPlatform
  about: number
}

export interface ShownLength {
  count: number
  /** Somewhere it is cut: there `collapsed` and `expanded` are. Otherwise it is near the least room, in `collapsed`. */
  isCut: boolean
  collapsed: Room[]
  expanded: Room[]
}

/** Undefined while there is much room left. */
export function measureShown(text: string, part: Part): ShownLength | undefined {
  const count = countCharacters(text)
  const rooms = (view: 'collapsed' | 'expanded') =>
    platforms.flatMap((platform) => ({ platform, about: roomOf[part][platform][view] ?? Number.POSITIVE_INFINITY }))
  const least = Math.min(...rooms('collapsed').map(({ about }) => about))
  if (count < least * nearShare) return undefined
  const isCut = count > least
  return {
    count,
    isCut,
    collapsed: rooms('collapsed').filter(({ about }) => (isCut ? count > about : about === least)),
    expanded: rooms('expanded').filter(({ about }) => count > about),
  }
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** As people count them: an emoji is one, whatever it is made of. */
export function countCharacters(text: string): number {
  return [...segmenter.segment(text)].length
}

/** Which part of the notification a field is, if any: the service's own rule of which text is shown. */
export function shownPartOf(field: string, draft: Draft, appText: string | undefined): Part | undefined {
  const { product, flags, notification, alertText, content } = draft
  if (flags.silent || (flags.inApp && product === 'message')) return undefined
  if (field === 'notification.title') return 'title'
  const contentFirst = product === 'message' && content !== '' && (flags.useAsAlert || !appText)
  const shown =
    notification.body !== ''
      ? 'notification.body'
      : alertText !== ''
        ? 'alertText'
        : contentFirst
          ? 'content'
          : undefined
  return field === shown ? 'body' : undefined
}
