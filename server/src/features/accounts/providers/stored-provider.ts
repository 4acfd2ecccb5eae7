import type { Context } from '#base/context.ts'
import type { CredentialsOf } from '../credential-formats/credentials.ts'

export const credentialProviders = ['fcm', 'apns', 'webpush', 'sms'] as const satisfies readonly (keyof CredentialsOf)[]
export type CredentialProvider = (typeof credentialProviders)[number]

/** How people call them. */
export const providerTitles: Record<CredentialProvider, string> = {
  fcm: 'Firebase (FCM)',
  apns: 'Apple (APNs)',
  webpush: 'Web Push',
  sms: 'SMS',
}

export interface Pause {
  at: Date
  reason: string
}

/** The credentials of an app for one provider, as the sender needs them. */
export type StoredProvider<P extends CredentialProvider = CredentialProvider> = {
  [Name in P]: {
    appId: number
    provider: Name
    /** Changes whenever the credentials are set anew. */
    version: string
    isSimulated: boolean
    setAt: Date
    /** Nothing may be sent while it is there. */
    paused: Pause | undefined
    /** Missing when they cannot be used here; `paused` then says why. */
    credentials: CredentialsOf[Name] | undefined
  }
}[P]

export interface StoredProviderRow {
  app_id: number
  provider: CredentialProvider
  sealed: Buffer
  version: string
  is_simulated: boolean
  set_at: Date
  paused_at: Date | null
  paused_reason: string | null
}

/** `isUnreadable`: sealed with a key that is not here, or changed since. Nothing is thrown: the other apps go on. */
export function readStoredProvider(
  row: StoredProviderRow,
  external: Context['external'],
): { stored: StoredProvider; isUnreadable: boolean } {
  const common = {
    appId: row.app_id,
    provider: row.provider,
    version: row.version,
    isSimulated: row.is_simulated,
    setAt: row.set_at,
    paused: row.paused_at ? { at: row.paused_at, reason: row.paused_reason ?? '' } : undefined,
    credentials: undefined,
  }
  if (row.is_simulated && !external.simulated) {
    const paused = { at: row.set_at, reason: withoutSimulator }
    return { stored: { ...common, paused } as StoredProvider, isUnreadable: false }
  }
  try {
    const credentials = JSON.parse(external.secretBox.open(row.sealed))
    return { stored: { ...common, credentials } as StoredProvider, isUnreadable: false }
  } catch {
    const paused = { at: row.set_at, reason: unreadable }
    return { stored: { ...common, paused } as StoredProvider, isUnreadable: true }
  }
}

export const withoutSimulator =
  'These credentials belong to the simulator, and this service has none. Set real ones, or start in development.'

export const unreadable =
  'The stored credentials cannot be opened: they were sealed with another key. Start with the old key in PEYK_SECRET_KEY too ("new,old"), or set the credentials again.'
