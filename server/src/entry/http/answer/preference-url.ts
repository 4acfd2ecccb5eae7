import type { Context } from '#base/context.ts'
import { sealPreferenceLink } from '#features/categories/preferences/preference-link.ts'

/** Where a user can say which messages they want. */
export function preferenceUrl({ app, external }: Context, { userId }: { userId: string }, baseUrl: string): string {
  return `${baseUrl}/preferences/${sealPreferenceLink(external, { appId: app.id, userId })}`
}
