import type { External } from '#base/external.ts'

const kind = 'preferences'
const longest = 600

/** What a link to somebody's preferences has in its path: only this service can make it, and it tells nobody who it is. */
export function sealPreferenceLink(
  { secretBox }: Pick<External, 'secretBox'>,
  { appId, userId }: { appId: number; userId: string },
): string {
  return secretBox.seal(JSON.stringify([kind, appId, userId])).toString('base64url')
}

/** Writes the whole link, for who knows where the service is reached. */
export function preferencesUrlFor(
  { secretBox, publicUrl }: Pick<External, 'secretBox' | 'publicUrl'>,
  key: { appId: number; userId: string },
): (() => string) | undefined {
  return publicUrl === undefined
    ? undefined
    : () => `${publicUrl}/preferences/${sealPreferenceLink({ secretBox }, key)}`
}

/** Undefined when it is not one of ours, or was made with a key that the service no longer has. */
export function openPreferenceLink(
  { secretBox }: Pick<External, 'secretBox'>,
  token: string,
): { appId: number; userId: string } | undefined {
  if (token.length > longest || !/^[\w-]+$/.test(token)) return undefined
  try {
    const [sealedKind, appId, userId] = JSON.parse(secretBox.open(Buffer.from(token, 'base64url'))) as unknown[]
    return sealedKind === kind ? { appId: Number(appId), userId: String(userId) } : undefined
  } catch {
    return undefined
  }
}
