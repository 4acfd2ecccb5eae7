/** Places in the API reference that the panel leads to: the group and the name of an endpoint. */
export const docsPlaces = {
  register: ['Installations and users', 'registerInstallation'],
  setProvider: ['Providers', 'setProvider'],
  sendToUsers: ['Sending', 'toUsers'],
  createCategory: ['Categories', 'createCategory'],
  createWebhook: ['Webhooks', 'createWebhook'],
} as const

export type DocsPlace = keyof typeof docsPlaces

/** Where the service itself serves the reference. */
export function docsHref(place?: DocsPlace): string {
  if (place === undefined) return '/docs/'
  const [group, name] = docsPlaces[place]
  return `/docs/#tag/${group.toLowerCase().replaceAll(' ', '-')}/${name}`
}
