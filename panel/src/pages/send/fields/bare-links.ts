import type { Draft } from '../draft/draft.ts'

/** A host with a dot and, perhaps, a path: an address whose beginning was forgotten, and no link into an app. */
const bareAddress = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?::\d+)?(?:[/?#]\S*)?$/i

/** Links that no phone can open, because they have no https:// in front. */
export function findBareLinks({ notification }: Pick<Draft, 'notification'>): string[] {
  const links = [notification.clickUrl, ...notification.actions.map(({ url }) => url)].map((link) => link.trim())
  return [...new Set(links.filter((link) => bareAddress.test(link)))]
}
