/** An installation as it is held between reading and writing. Users are named by their ids here, not their numbers. */
export interface Installation {
  readonly appId: number
  readonly id: string
  /** Undefined until it is stored for the first time. */
  readonly installationNo: number | undefined
  readonly userId: string
  readonly isGuest: boolean
  /** It is known to be this user's: the client showed the user's hash, or the back end said so. */
  readonly isVerified: boolean
  /** The user of the newest registered login; stays through logout [users-and-events.md#installations-and-users]. */
  readonly loginUserId: string | undefined
  readonly loggedInAt: Date
  readonly installedAt: Date
  readonly launchedAt: Date
  readonly createdAt: Date
  readonly uninstalledAt: Date | undefined
  readonly launchCount: number
  readonly deviceType: string
  readonly clientVersion: string | undefined
  readonly osVersion: string | undefined
  readonly language: string | undefined
  readonly timeZone: string | undefined
  readonly subscriptions: readonly string[]
  readonly deviceToken: string | undefined
  readonly tokenStatus: string | undefined
  readonly tokenChangedAt: Date | undefined
  /** What the client sent and segments do not ask for, under the wire's names. */
  readonly details: Readonly<Record<string, unknown>>
}

/** What a client says of its installation; undefined where it said nothing. */
export interface InstallationPatch {
  userId: string | undefined
  isGuest: boolean | undefined
  /** null: there is none any more. */
  deviceToken: string | null | undefined
  tokenStatus: string | undefined
  deviceType: string | undefined
  clientVersion: string | undefined
  osVersion: string | undefined
  language: string | undefined
  timeZone: string | undefined
  subscriptions: string[] | undefined
  launchCount: number | undefined
  launchedAt: Date | undefined
  installedAt: Date | undefined
  details: Record<string, unknown>
}

/** One registration or update on its way to the store. */
export interface InstallationChange {
  appId: number
  /** The installation that is to be changed. */
  id: string | undefined
  /** The id of a new one, when it may be made because `id` names none. */
  newId: string | undefined
  at: Date
  /** When the request came. */
  begunAt: Date
  patch: InstallationPatch
  /** The guest that the installation gets if it turns out to need one. */
  guestId: string
  /** False when the app verifies identities and the client has not shown that it is this user. */
  mayLogIn: boolean
  /** A user whom the installation is given now is that user: the back end says so, or the app verifies identities. */
  isVerified: boolean
  /** The client has shown the hash of the user it names. */
  hasUserHash: boolean
  /** False when the app verifies identities: then a guest's id is never the client's choice. */
  mayNameGuest: boolean
  /** For imports only: a known device keeps its state. */
  imported?: ImportedDevice
}

export interface ImportedDevice {
  /** A device that holds this token counts as known. The patch of a device that opted out has no token. */
  token: string | undefined
  /** Also removes the token from a known device that an earlier import created. */
  optsOut: boolean
}
