import type { Durations } from '#base/durations.ts'
import type { Platform, Recipient } from '../../messages/payloads/compiled-push.ts'
import { choosePath, type Path, providerInReason } from '../choose-path.ts'
import type { Detail } from '../details/detail.ts'
import type { ProviderName } from '../provider.ts'
import type { SendItem } from '../senders/send-item.ts'
import type { HeldBatch, ItemEnd, MessageInWork, Settled } from './held-batch.ts'
import type { RecipientRow } from './read-recipients.ts'

/** What a template is given, for those installations that need it. */
export interface Personal {
  /** By installation number; only those that a provider is to bring it to. */
  recipients: Map<number, Recipient>
  /** By user number; undefined where there was no code left. */
  codes: Map<number, string | undefined> | undefined
  /** Installations that get no code, by the app's rules. */
  withheld: ReadonlySet<number>
}

const waitForPausedMs = 60_000

/** The providers that the app has credentials for. */
export type ProviderStates = ReadonlyMap<ProviderName, { isPaused: boolean }>

/** How the delivery to an installation ends, where that is known already, else what is to be sent and by whom. */
export function decideDelivery(
  batch: HeldBatch,
  row: RecipientRow,
  personal: Personal,
  states: ProviderStates,
  { at, durations }: { at: Date; durations: Pick<Durations, 'acknowledgementMs' | 'returnMs'> },
): ItemEnd | { send: SendItem; provider: ProviderName } {
  const { message } = batch
  const installationNo = row.installation_no
  if (row.is_done) return undefined
  const early = endEarly(message, row, at)
  const path = pathOf(message, withoutConnection(message, row), states)
  if (early) {
    // It was tried before, and whether a provider took it nobody knows.
    const tried = batch.row.wasUnclear && path.kind === 'provider' ? { provider: path.provider } : undefined
    const { reason } = early
    if (tried && reason === 'cancelled')
      return { settled: { installationNo, at, ...early, ...tried, reason: 'unknown' } }
    return { settled: { installationNo, at, ...early, ...(reason === 'refused' && tried) } }
  }

  const isExpected = isExpectedBack(message, row, path)
  if (path.kind === 'ended' && !isExpected)
    return { settled: { installationNo, state: 'ended', reason: path.reason, at, ...reasonOf(path) } }
  if (personal.withheld.has(installationNo)) {
    return { settled: { installationNo, state: 'ended', reason: 'promo-withheld', at } }
  }
  if (personal.codes && personal.codes.get(row.user_no) === undefined) {
    return { settled: { installationNo, state: 'ended', reason: 'promo-exhausted', at } }
  }
  const { wasUnclear } = batch.row
  if (message.standing === 'paused') {
    const provider = path.kind === 'provider' ? path.provider : 'mixed'
    return { putBack: { installationNo, provider, afterMs: 0, isPaused: true, wasUnclear } }
  }
  if (path.kind === 'ended') {
    if (row.is_connected) return { settled: waitInInbox(message, row, path, at) }
    const settled = {
      installationNo,
      state: 'queued',
      provider: 'connection',
      at,
      ...reasonOf(path),
      isKept: true,
    } as const
    const putBack = { installationNo, provider: 'mixed', afterMs: durations.returnMs, wasUnclear } as const
    return { settled, putBack: { ...putBack, isInInbox: true } }
  }
  if (path.kind === 'inbox') {
    if (row.is_connected) return { settled: waitInInbox(message, row, path, at) }
    return { settled: { installationNo, state: 'queued', provider: 'connection', at, ...reasonOf(path) } }
  }
  if (path.kind === 'connection') {
    const settled = waitInInbox(message, row, path, at)
    if (!path.next) return { settled }
    const putBack = { installationNo, provider: path.next, afterMs: durations.acknowledgementMs, wasUnclear }
    return { settled, putBack: { ...putBack, isInInbox: true } }
  }

  const { provider } = path
  if (states.get(provider)?.isPaused) {
    return { putBack: { installationNo, provider, afterMs: waitForPausedMs, wasUnclear } }
  }
  const target = { provider, platform: platformOf(row.device_type) }
  const rendered = message.compiled.render(target, at, personal.recipients.get(installationNo))
  if (rendered.kind === 'refused') {
    return { settled: { installationNo, state: 'ended', reason: 'refused', provider, detail: rendered.detail, at } }
  }
  return {
    provider,
    send: {
      batch,
      installationNo,
      token: row.device_token as string,
      tokenChangedAt: row.token_changed_at,
      payload: rendered.payload,
      wasUnclear,
      owner: { userNo: row.user_no, seenAtMs: batch.seenAtMs },
      ...(row.is_connected && message.product === 'message' && { isConnected: true }),
    },
  }
}

/** It waits in the inbox, and whoever holds the connection is told. */
function waitInInbox(
  { id, flags, compiled, hasOwnEnd }: MessageInWork,
  row: RecipientRow,
  path: Path,
  at: Date,
): Settled {
  const { installation_no: installationNo, user_no: userNo, user_id: userId, device_type: deviceType } = row
  const waiting = {
    installationNo,
    state: 'queued',
    provider: 'connection',
    at,
    ...reasonOf(path),
    isNotified: true,
  } as const
  // What every connected client gets alike, whatever its app does at the moment, need not be read again.
  if (flags.live || flags.inApp || compiled.isPersonal || hasOwnEnd) return waiting
  return { ...waiting, fresh: { messageId: id, userNo, userId, deviceType } }
}

function reasonOf(path: Path): Detail {
  const detailProvider = providerInReason(path)
  return { detailCode: path.code, ...(detailProvider && { detailProvider }) }
}

export function pathOf(message: MessageInWork, row: RecipientRow, states: ProviderStates): Path {
  const { device_type: deviceType, device_token: token, token_status: tokenStatus } = row
  const reach = { deviceType, token, tokenStatus, isConnected: row.is_connected, isOpen: row.is_open }
  return choosePath(message.flags, reach, states)
}

/**
 * [sending.md#delivery-channels] The connection has its turn once: what waits in the inbox and comes back from the
 * work-list was not acknowledged over it. That it was taken before says nothing: whoever took it may have died before
 * its client was told.
 */
export function withoutConnection({ flags }: MessageInWork, row: RecipientRow): RecipientRow {
  return row.is_waiting && !flags.live ? { ...row, is_connected: false, is_open: false } : row
}

/** Whether there is a way to it, now or as soon as it is back. */
export function isReached(message: MessageInWork, row: RecipientRow, states: ProviderStates): boolean {
  const path = pathOf(message, row, states)
  return path.kind !== 'ended' || isExpectedBack(message, row, path)
}

/**
 * No provider reaches it, so nothing but its connection will do: it is connected and has been told, or it was connected
 * until a moment ago and is waited for.
 */
function isExpectedBack({ flags }: MessageInWork, row: RecipientRow, path: Path): boolean {
  if (path.kind !== 'ended' || path.reason !== 'no-provider' || flags.live) return false
  return row.is_connected || row.is_returning
}

/** What ends a delivery whichever way it would have gone. */
function endEarly(
  message: MessageInWork,
  row: RecipientRow,
  at: Date,
): Pick<Settled, 'state' | 'reason' | 'detailCode'> | undefined {
  if (message.standing === 'cancelled') return { state: 'ended', reason: 'cancelled' }
  if (message.expiresAt <= at) return { state: 'ended', reason: 'expired' }
  if (row.is_gone) return { state: 'ended', reason: 'gone', detailCode: 'uninstalled-before' }
  if (!row.is_addressed) return { state: 'ended', reason: 'refused', detailCode: 'other-user' }
  return undefined
}

export function platformOf(deviceType: string): Platform {
  return deviceType === 'ios' || deviceType === 'web' ? deviceType : 'android'
}
