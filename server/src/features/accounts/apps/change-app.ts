import type * as contract from '@peyk/contract'
import { type Cap, type QuietHours, show } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import type { Transaction } from '#base/store/store.ts'
import { isTimeZone } from '#base/time-zone.ts'
import { checkCaps, checkQuietHours, lockGroupCategory } from '../sending/check-sending-rules.ts'
import { checkName } from './check-names.ts'
import { getOwnApp } from './get-own-app.ts'
import { announceIdentityChange } from './identity-change.ts'
import { hasIdentitySecret, removeIdentitySecret, writeIdentitySecret } from './identity-secret.ts'

export interface AppChange {
  name?: string
  defaultNotificationText?: string
  defaultIcon?: string
  /** Off unless it is set: then users may send messages to each other. */
  allowUserMessages?: boolean
  /** Off unless it is set: then they may send to everybody on a public channel too. */
  allowPublicUserMessages?: boolean
  /** Switched on, it makes a secret; switched off, the secret is forgotten. */
  identityVerification?: boolean
  /** Off unless it is set: then guests get no promo codes. */
  withholdCodesFromGuests?: boolean
  /** Installations get promo codes only so many hours after they were registered; 0 for at once. */
  withholdCodesHours?: number
  /** null for none. */
  quietHours?: QuietHours | null
  caps?: Cap[]
  /** In percent. */
  controlGroup?: number
  /** Of sends to groups that name none; null for none. */
  groupCategory?: string | null
  /** Sends from the panel to more installations wait for approval; null for none. */
  approvalAbove?: number | null
  /** Of users of whom no time zone is known. */
  zone?: string
}

export type ChangedApp = contract.AnswerOf<typeof contract.changeApp>

type Ctx = Pick<Context, 'app' | 'store' | 'tx' | 'external'>

/** What is not given stays as it is; an empty text takes a default away. */
export async function changeApp(ctx: Ctx, change: AppChange): Promise<ChangedApp> {
  const name = change.name === undefined ? null : checkName('the name of an app', change.name)
  const given = Object.entries({
    notificationText: change.defaultNotificationText,
    icon: change.defaultIcon === undefined ? undefined : checkIcon(change.defaultIcon),
    allowUserMessages: change.allowUserMessages,
    allowPublicUserMessages: change.allowPublicUserMessages,
    withholdCodesFromGuests: change.withholdCodesFromGuests,
    withholdCodesHours: change.withholdCodesHours === undefined ? undefined : checkHours(change.withholdCodesHours),
    quietHours: change.quietHours === null ? '' : change.quietHours && checkQuietHours(change.quietHours),
    caps: change.caps && (await checkCaps(ctx, change.caps)),
    controlGroup: change.controlGroup,
    groupCategory: change.groupCategory === null ? '' : change.groupCategory,
    approvalAbove: change.approvalAbove === null ? '' : change.approvalAbove,
    zone: change.zone === undefined ? undefined : checkZone(change.zone),
  }).filter(([, value]) => value !== undefined)
  const removed = given.filter(([, text]) => text === '').map(([key]) => key)
  const set = Object.fromEntries(given.filter(([, text]) => text !== ''))
  const changed = await inTransaction(ctx, async (tx) => {
    if (change.groupCategory) await lockGroupCategory(tx, ctx, change.groupCategory)
    await tx.query(sql`
      update apps set name = coalesce(${name}, name), settings = (settings - ${removed}::text[]) || ${JSON.stringify(set)}
      where app_id = ${ctx.app.id}`)
    const identitySecret = await switchVerification(tx, ctx, change.identityVerification)
    return { ...(await getOwnApp({ ...ctx, tx })), ...(identitySecret !== undefined && { identitySecret }) }
  })
  if (change.identityVerification !== undefined) announceIdentityChange(ctx.store, ctx.app.id)
  return changed
}

/** Answers the secret when there is a new one. */
async function switchVerification(tx: Transaction, ctx: Ctx, isOn: boolean | undefined): Promise<string | undefined> {
  if (isOn === undefined || isOn === (await hasIdentitySecret(tx, ctx))) return undefined
  if (isOn) return writeIdentitySecret(tx, ctx)
  await removeIdentitySecret(tx, ctx)
}

const longestHours = 8_760

function checkHours(hours: number): number {
  if (Number.isInteger(hours) && hours >= 0 && hours <= longestHours) return hours
  throw new RequestError(
    'invalid-request',
    `"withholdCodesHours": expected a whole number of hours from 0 to ${longestHours}, got ${hours}.`,
    { details: { field: 'withholdCodesHours' } },
  )
}

function checkZone(zone: string): string {
  if (zone === '' || isTimeZone(zone)) return zone
  throw new RequestError('invalid-request', `"zone": expected a time zone such as "Asia/Tehran", got ${show(zone)}.`, {
    details: { field: 'zone' },
  })
}

/** A link, or the name of a picture inside the app. */
function checkIcon(icon: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a browser skips
  const read = icon.replace(/^[\u0000-\u0020]+|[\t\n\r]/g, '')
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(read)?.[1]?.toLowerCase()
  if (scheme === undefined || scheme === 'https' || scheme === 'http') return icon
  throw new RequestError(
    'invalid-request',
    `"defaultIcon": expected an http or https link, got the scheme "${scheme}".`,
  )
}
