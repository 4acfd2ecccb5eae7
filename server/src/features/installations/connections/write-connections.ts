import { type BatchContext, defineBatch } from '#base/batch.ts'
import { RequestError } from '#base/errors.ts'
import type { Store, Transaction } from '#base/store/store.ts'
import { unknownInstallation } from '../installation-id.ts'
import { type Activity, recordActivity } from '../record-activity.ts'
import {
  type ConnectionRow,
  changeForegrounds,
  type EndedConnection,
  endConnections,
  type ForegroundChange,
  replaceConnections,
} from './connections-store.ts'
import { enterVisitors, type FoundVisitor, lockVisitors, recordVisits } from './visitors-store.ts'

export interface NewConnection {
  kind: 'connect'
  appId: number
  installationId: string
  userId: string
  holder: string
  connectionId: string
  isClean: boolean
}

export interface ConnectedInstallation {
  installationNo: number
  subscriptions: string[]
  eventTopics: string[]
  hadSession: boolean
  /** What may have been sent over an earlier connection and was not acknowledged; undefined when nobody knows. */
  unacknowledged: readonly string[] | undefined
  /** The connection that this one takes over from. */
  replaced: ReplacedConnection | undefined
}

export interface ReplacedConnection {
  holder: string
  connectionId: string
}

export type ConnectionChange =
  | NewConnection
  | ({ kind: 'end'; installationId: string } & EndedConnection)
  | ({ kind: 'foreground'; installationId: string } & ForegroundChange)

export type ConnectionAnswer = ConnectedInstallation | undefined

/** Who comes, goes and changes, in the order in which each installation did. */
export const writeConnection = defineBatch<ConnectionChange, { connected: ConnectionAnswer }>({
  name: 'connections',
  maxWeight: 500,
  laneKey: ({ installationId }) => installationId,
  fastPath: { isEligible: () => true, flush: flushFastPath },
  flush: async (tx, changes, { now }) => {
    const answers = new Map<ConnectionChange, ConnectionAnswer | RequestError>()
    for (const part of inParts(changes)) {
      const { connects, ended, foregrounds } = byKind(part)
      const connected = await connect(tx, connects, now())
      for (const [index, change] of connects.entries()) answers.set(change, connected[index])
      if (ended.length > 0) await endConnections(tx, ended)
      if (foregrounds.length > 0) await changeForegrounds(tx, foregrounds)
    }
    return changes.map((change) => {
      const answer = answers.get(change)
      return answer instanceof RequestError ? answer : { connected: answer }
    })
  },
})

/** Without a transaction, when every installation occurs once. */
async function flushFastPath(
  store: Store,
  changes: ConnectionChange[],
  { now }: BatchContext,
): Promise<({ connected: ConnectionAnswer } | undefined)[]> {
  if (new Set(changes.map(({ installationId }) => installationId)).size < changes.length) return []
  const { connects, ended, foregrounds } = byKind(changes)
  // What may be done twice first: should a statement fail, all is left to `flush`.
  if (ended.length > 0) await endConnections(store, ended)
  if (foregrounds.length > 0) await changeForegrounds(store, foregrounds)
  const entered = connects.length > 0 ? await enterVisitors(store, connects, now()) : []
  const answers = new Map<ConnectionChange, ConnectionAnswer>()
  for (const { position, had_connection, unacknowledged, ...visitor } of entered) {
    answers.set(connects[position - 1] as NewConnection, {
      ...asConnected(visitor),
      unacknowledged: had_connection ? (unacknowledged ?? undefined) : [],
      replaced: undefined,
    })
  }
  return changes.map((change) =>
    change.kind === 'connect' && !answers.has(change) ? undefined : { connected: answers.get(change) },
  )
}

function byKind(changes: readonly ConnectionChange[]) {
  return {
    connects: changes.filter((change) => change.kind === 'connect'),
    ended: changes.filter((change) => change.kind === 'end'),
    foregrounds: changes.filter((change) => change.kind === 'foreground'),
  }
}

/** Parts in which no installation occurs twice. */
function inParts(changes: readonly ConnectionChange[]): ConnectionChange[][] {
  const parts: ConnectionChange[][] = []
  const placeOf = new Map<string, number>()
  for (const change of changes) {
    const place = placeOf.get(change.installationId) ?? 0
    placeOf.set(change.installationId, place + 1)
    parts[place] ??= []
    parts[place].push(change)
  }
  return parts
}

async function connect(
  tx: Transaction,
  connects: readonly NewConnection[],
  at: Date,
): Promise<(ConnectedInstallation | RequestError)[]> {
  if (connects.length === 0) return []
  const found = await lockVisitors(tx, connects)
  const rows = connects.flatMap((change, index): (ConnectionRow & { isClean: boolean })[] => {
    const visitor = found[index]
    return visitor?.user_id === change.userId ? [{ ...change, installationNo: visitor.installation_no }] : []
  })
  if (rows.length > 0) {
    await recordActivity(
      tx,
      connects.flatMap((change, index) => {
        const visitor = found[index]
        return visitor?.user_id === change.userId ? visitOf(change.appId, visitor, at) : []
      }),
    )
    await recordVisits(tx, rows, at)
  }
  const replaced = rows.length > 0 ? await replaceConnections(tx, rows) : []
  const replacedOf = new Map(replaced.map((row) => [row.installation_no, row]))
  return connects.map((change, index) => {
    const visitor = found[index]
    if (!visitor) return unknownInstallation(change.installationId)
    if (visitor.user_id !== change.userId)
      return new RequestError('not-found', 'The installation is not one of this user.')
    const before = replacedOf.get(visitor.installation_no)
    return {
      ...asConnected(visitor),
      unacknowledged: before ? (before.unacknowledged ?? undefined) : [],
      replaced: before && { holder: before.holder, connectionId: before.connection_id },
    }
  })
}

function asConnected(visitor: FoundVisitor) {
  return {
    installationNo: visitor.installation_no,
    subscriptions: visitor.subscriptions,
    eventTopics: visitor.event_topics,
    hadSession: visitor.has_session,
  }
}

const DAY = 86_400_000

/** A visit, and an install where it had been gone. */
function visitOf(appId: number, visitor: FoundVisitor, at: Date): Activity {
  const { user_no: userNo, device_type: deviceType, launched_at, uninstalled_at } = visitor
  const isFirst = Math.floor(launched_at.getTime() / DAY) < Math.floor(at.getTime() / DAY)
  return { appId, userNo, deviceType, at, isVisit: true, isFirst, isInstall: uninstalled_at !== null }
}
