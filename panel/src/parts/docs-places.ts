/** Places in the API reference that the panel leads to: the group and the name of an endpoint. */
export const referencePlaces = {
  register: ['Installations and users', 'registerInstallation'],
  sendToUsers: ['Sending', 'toUsers'],
} as const

/** Places in the guide: a page, and a heading on it. */
export const guidePlaces = {
  client: 'client/',
  providers: 'providers/',
  categories: 'campaigns/#categories-not-too-often-not-at-night-not-to-those-who-said-no',
  webhooks: 'webhooks/',
} as const

export type DocsPlace = keyof typeof referencePlaces | keyof typeof guidePlaces

/** Where the service itself serves them. */
export const guideHref = '/guide/'
export const referenceHref = '/docs/'

export function isInGuide(place: DocsPlace): place is keyof typeof guidePlaces {
  return place in guidePlaces
}

export function docsHref(place?: DocsPlace): string {
  if (place === undefined) return referenceHref
  if (isInGuide(place)) return guideHref + guidePlaces[place]
  const [group, name] = referencePlaces[place]
  return `${referenceHref}#tag/${group.toLowerCase().replaceAll(' ', '-')}/${name}`
}
