import type { Contents, Notification, Variant } from '@peyk/contract'

type Texts = { notification?: Partial<Notification> | undefined }

export interface LinkedTexts extends Texts {
  contents?: Contents | undefined
  variants?: Variant[] | undefined
}

export interface MessageLink {
  kind: 'tap' | 'button' | 'image'
  /** Label of a button. */
  title?: string
  url: string
}

/** Returns each address in a message, its languages, and its variants, once. */
export function linksIn({ notification, contents, variants = [] }: LinkedTexts): MessageLink[] {
  const all: Texts[] = [
    { notification },
    ...Object.values(contents ?? {}),
    ...variants.flatMap((variant) => [variant, ...Object.values(variant.contents ?? {})]),
  ]
  const links = all.flatMap((texts) => linksOf(texts.notification ?? {}))
  return [...new Map(links.map((link) => [JSON.stringify(link), link])).values()]
}

function linksOf({ clickUrl, actions = [], ...pictures }: Partial<Notification>): MessageLink[] {
  const links: MessageLink[] = []
  if (clickUrl) links.push({ kind: 'tap', url: clickUrl })
  for (const { title = '', url } of actions) if (url) links.push({ kind: 'button', title, url })
  const { mediaUrl, icon, largeIcon, chromeBadge } = pictures
  for (const url of [mediaUrl, icon, largeIcon, chromeBadge])
    if (url && /^[a-z][a-z0-9+.-]*:/i.test(url)) links.push({ kind: 'image', url })
  return links
}
