import type { Texts } from '#texts/en.ts'
import type { TriedImage } from './use-image-reach.ts'

/** What keeps phones from showing an image, and what to do. */
export function sayImageWarning({ reach, address }: TriedImage, url: string, texts: Texts): string | undefined {
  const { reach: words } = texts.images
  if (address === 'own-http') return words.ownHttp
  if (reach === 'not-https') return words.notHttps
  if (reach === 'unreachable') return words.unreachable
  if (address === 'this-machine') return words.thisMachine
  return reach === 'ok' && /\.webp(?:\?|$)/i.test(url) ? words.webp : undefined
}
