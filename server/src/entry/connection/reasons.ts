/** Why a CONNECT is refused, as 3.1.1 and as 5 say it. */
export const refusals = {
  version: { 4: 0x01, 5: 0x84 },
  'client-id': { 4: 0x02, 5: 0x85 },
  unavailable: { 4: 0x03, 5: 0x88 },
  'bad-key': { 4: 0x04, 5: 0x86 },
  'not-authorised': { 4: 0x05, 5: 0x87 },
  'auth-method': { 4: 0x05, 5: 0x8c },
  'too-many-connections': { 4: 0x03, 5: 0x97 },
  'too-many-tries': { 4: 0x03, 5: 0x9f },
} as const satisfies Record<string, Record<4 | 5, number>>

export type Refusal = keyof typeof refusals

/** Why a connection is closed, as a DISCONNECT of version 5 says it; 3.1.1 has no word for it. */
export const closings = {
  left: undefined,
  'lost-line': undefined,
  refused: undefined,
  'no-connect': undefined,
  malformed: 0x81,
  'protocol-error': 0x82,
  'not-authorised': 0x87,
  /** "Server busy": a DISCONNECT has no "unavailable". */
  unavailable: 0x89,
  'shutting-down': 0x8b,
  'keepalive-timeout': 0x8d,
  'taken-over': 0x8e,
  'topic-refused': 0x90,
  'packet-too-large': 0x95,
  'rate-too-high': 0x96,
  'slow-reader': 0x97,
  /** "Administrative action": the installation was given up by DELETE. */
  unregistered: 0x98,
  'qos-not-supported': 0x9b,
} as const satisfies Record<string, number | undefined>

export type Closing = keyof typeof closings

/** Ends that are not the client's doing, nor meant for good: it comes back within seconds. */
export const temporaryClosings: ReadonlySet<Closing> = new Set<Closing>([
  'lost-line',
  'unavailable',
  'shutting-down',
  'keepalive-timeout',
  'slow-reader',
])

/** What becomes of a client's PUBLISH. Version 5 is told in the PUBACK; 3.1.1 cannot be. */
export const publishAnswers = {
  accepted: 0x00,
  'not-authorised': 0x87,
  /** "Quota exceeded": a PUBACK has no "packet too large". */
  'too-large': 0x97,
  unreadable: 0x99,
} as const

export type PublishAnswer = keyof typeof publishAnswers
