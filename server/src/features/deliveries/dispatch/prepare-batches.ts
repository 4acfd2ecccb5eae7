import type { Context } from '#base/context.ts'
import type { Durations } from '#base/durations.ts'
import { getPromoRules } from '../../accounts/apps/get-promo-rules.ts'
import { preferencesUrlFor } from '../../categories/preferences/preference-link.ts'
import type { Recipient } from '../../messages/payloads/compiled-push.ts'
import { findWithheld } from '../../promo/installations-without-codes.ts'
import { takeCodes } from '../../promo/take-codes.ts'
import { DirectDeliveries } from '../direct/direct-deliveries.ts'
import { readLanguages } from '../languages/read-languages.ts'
import type { Senders } from '../senders/senders.ts'
import { assignBatches, variantOf } from '../variants/assign-batches.ts'
import {
  decideDelivery,
  isReached,
  type Personal,
  type ProviderStates,
  pathOf,
  withoutConnection,
} from './decide-delivery.ts'
import type { HeldBatch } from './held-batch.ts'
import { planBatches } from './plan-batches.ts'
import { type RecipientRow, readAttributes } from './read-recipients.ts'

type Services = Pick<Context, 'store' | 'now' | 'external'> & { durations: Durations }

const nothingPersonal: Personal = { recipients: new Map(), codes: undefined, withheld: new Set() }

/** A batch whose texts are still being written. */
export interface LateBatch {
  batch: HeldBatch
  handedOver: Promise<void>
}

/**
 * Decides for each installation of the batches which way it goes, writes what it is sent, and hands it to the sender.
 * Those with texts that may take long are handed over later, so that the others need not wait.
 */
export async function prepareBatches(
  services: Services,
  senders: Senders,
  batches: readonly HeldBatch[],
  recipients: readonly RecipientRow[][],
): Promise<LateBatch[]> {
  const late: LateBatch[] = []
  const statesOf = (appId: number) => senders.statesOf(appId)
  const at = services.now()
  if (batches.some(({ message }) => message.test)) await assignBatches(services.store, batches, recipients, at)
  const planned = await planBatches(services.store, batches, recipients, statesOf, at)
  if (batches.some(({ message }) => message.compiled.languageFor)) await chooseLanguages(services, batches, recipients)
  for (const [index, batch] of batches.entries()) {
    const all = recipients[index] as RecipientRow[]
    const ends = planned.get(batch)
    const rows = ends ? all.filter((row) => !ends.has(row.installation_no)) : all
    for (const end of ends?.values() ?? []) batch.end(end)
    const personal = await readPersonal(services, batch, rows, senders.statesOf(batch.row.appId))
    const { compiled, appId } = batch.message
    const named = [...personal.recipients.values()]
    const handOverAll = () => handOver(services, senders, batch, rows, personal, all.length)
    if (!compiled.needsSlowTexts(named)) handOverAll()
    else late.push({ batch, handedOver: compiled.renderSlowTexts(appId, named).then(handOverAll) })
  }
  return late
}

/** For batches of messages that have several. */
async function chooseLanguages(
  { store }: Services,
  batches: readonly HeldBatch[],
  recipients: readonly RecipientRow[][],
): Promise<void> {
  const asked = batches.flatMap(({ row: { appId, messageId, attempts }, message }, index) => {
    const key = { appId, messageId, isAgain: attempts > 1 }
    const rows = message.compiled.languageFor ? (recipients[index] ?? []) : []
    return rows
      .filter(({ language }) => language === undefined)
      .map((each) => ({ ...key, installationNo: each.installation_no }))
  })
  const languageOf = await readLanguages(store, asked)
  for (const [index, batch] of batches.entries()) {
    const { languageFor } = batch.message.compiled
    if (!languageFor) continue
    batch.languages = new Map(
      (recipients[index] ?? []).map(({ installation_no: number, language }) => {
        const own = language === undefined ? languageOf(batch.row.messageId, number) : language
        return [number, languageFor(own, variantOf(batch, number))]
      }),
    )
  }
}

function handOver(
  services: Services,
  senders: Senders,
  batch: HeldBatch,
  rows: readonly RecipientRow[],
  personal: Personal,
  found: number,
): void {
  const { now, durations } = services
  const at = now()
  const states = senders.statesOf(batch.row.appId)
  const direct = new DirectDeliveries(services, batch)
  for (const row of rows) {
    const end = decideDelivery(batch, row, personal, states, { at, durations })
    if (end && 'send' in end) senders.submit(end.provider, end.send)
    else if (!(end && 'settled' in end && direct.send(end))) batch.end(end)
  }
  direct.waitForAcknowledgements()
  // Installations that were deleted since leave nothing to tell.
  for (let deleted = batch.row.installationNos.length - found; deleted > 0; deleted--) batch.end(undefined)
  batch.handOver()
}

/** A code is taken only for who can be reached. */
async function readPersonal(
  { store, now, external }: Services,
  batch: HeldBatch,
  rows: readonly RecipientRow[],
  states: ProviderStates,
): Promise<Personal> {
  const { message, row } = batch
  const { isPersonal, attributes: needed, needsPromoCode } = message.compiled
  const live = rows.filter((each) => !each.is_gone && !each.is_done && each.is_addressed)
  const at = now()
  const isGoing = message.standing === 'running' && message.expiresAt > at
  if (live.length === 0 || !isGoing || (!isPersonal && !needsPromoCode)) return nothingPersonal
  const withheld = needsPromoCode ? await readWithheld(store, batch, live, at) : nothingPersonal.withheld
  const wanted = live.filter((each) => !withheld.has(each.installation_no))
  const pushed = isPersonal
    ? wanted.filter((each) => pathOf(message, withoutConnection(message, each), states).kind === 'provider')
    : []
  const attributes = await readAttributes(store, row.appId, pushed, needed)
  const codes = needsPromoCode ? await takeCodesFor(store, batch, wanted, states) : undefined
  const recipients = pushed.map((each): [number, Recipient] => [
    each.installation_no,
    {
      userId: each.user_id,
      installationId: each.installation_id,
      deviceType: each.device_type,
      attributes: attributes.get(each.installation_no) ?? {},
      promoCode: codes?.get(each.user_no),
      preferencesUrl: preferencesUrlFor(external, { appId: row.appId, userId: each.user_id }),
      ...(batch.languages && { language: batch.languages.get(each.installation_no) }),
      ...(batch.variants && { variant: variantOf(batch, each.installation_no) }),
    },
  ])
  return { recipients: new Map(recipients), codes, withheld }
}

async function readWithheld(
  store: Services['store'],
  { row: { appId } }: HeldBatch,
  live: readonly RecipientRow[],
  at: Date,
): Promise<ReadonlySet<number>> {
  const rules = await getPromoRules(store, appId)
  return findWithheld(store, { appId, installationNos: live.map((each) => each.installation_no), rules, at })
}

function takeCodesFor(
  store: Services['store'],
  { message, row }: HeldBatch,
  wanted: readonly RecipientRow[],
  states: ProviderStates,
): Promise<Map<number, string | undefined>> {
  const reached = wanted.filter((each) => isReached(message, each, states))
  const installationNos = new Map<number, number[]>()
  for (const { user_no, installation_no } of reached)
    installationNos.set(user_no, [...(installationNos.get(user_no) ?? []), installation_no])
  const { id: messageId, trackId } = message
  const guests = new Map(reached.flatMap(({ user_no, guest_user_no: guest }) => (guest ? [[user_no, guest]] : [])))
  const codes = { appId: row.appId, messageId, trackId, userNos: [...installationNos.keys()], installationNos, guests }
  return store.transaction((tx) => takeCodes(tx, codes))
}
