import { type AnyNotification, controlName, show, spanMs, type Variant } from '@peyk/contract'
import { limits } from '#base/config.ts'
import { expiryOf, type Product } from '../compose/expiry.ts'
import { defaultTexts } from '../compose/language-tags.ts'
import { checkContents, checkTexts, fault } from './check-contents.ts'

const fewest = 2
const longestGoalMs = spanMs('30d')
/** Thirds are written as 33.3. */
const roundingPercent = 0.5
const taken: readonly string[] = [controlName, defaultTexts]

/** [ADR-0192] Refuses a test that could not be made as it is meant, or texts of a variant that have no place. */
export function checkTest(sent: AnyNotification, product: Product): void {
  const { variants, control, goal } = sent
  if (variants) checkVariants(sent, variants)
  if (sent.winner) checkWinner(sent, product)
  if (!goal) return
  if (!variants && !control) throw fault('goal', ' needs "variants" or "control": there is nothing to compare')
  if (goal.within !== undefined && spanMs(goal.within) > longestGoalMs) {
    throw fault('goal.within', `: expected at most 30 days, got ${show(goal.within)}`)
  }
}

function checkVariants(sent: AnyNotification, variants: readonly Variant[]): void {
  const most = limits.variantsPerMessage
  if (variants.length < fewest || variants.length > most) {
    throw fault('variants', `: expected ${fewest} to ${most} variants, got ${variants.length}`)
  }
  const places = new Map<string, number>()
  for (const [place, { name, share: _share, contents, ...texts }] of variants.entries()) {
    const field = `variants[${place}]`
    const other = places.get(name)
    if (other !== undefined) throw fault(`${field}.name`, `: ${show(name)} is the name of "variants[${other}]", too`)
    if (taken.includes(name)) throw fault(`${field}.name`, `: ${show(name)} is counted already; choose another name`)
    places.set(name, place)
    checkTexts(sent, texts, { field, by: 'variant' })
    checkContents({ ...sent, contents }, `${field}.contents`)
  }
  checkShares(variants)
}

function checkShares(variants: readonly Variant[]): void {
  const shares = variants.map(({ share }) => share)
  if (shares.every((share) => share === undefined)) return
  const missing = shares.indexOf(undefined)
  if (missing >= 0) throw fault(`variants[${missing}].share`, ' is missing: give one to each variant, or to none')
  const sum = shares.reduce<number>((all, share = 0) => all + share, 0)
  if (Math.abs(sum - 100) <= roundingPercent) return
  throw fault('variants', `: their shares add up to ${Number(sum.toFixed(3))}; expected 100`)
}

function checkWinner({ variants, winner, live, sendAt, ttl }: AnyNotification, product: Product): void {
  if (!winner) return
  const { after, otherwise } = winner
  if (!variants) throw fault('winner', ' needs "variants": there is nothing to win')
  if (otherwise !== undefined && variants.every(({ name }) => name !== otherwise)) {
    const names = variants.map(({ name }) => name).join(', ')
    throw fault('winner.otherwise', `: expected one of ${names}, got ${show(otherwise)}`)
  }
  if (live) throw fault('winner', ' cannot be had with "live": it is for those who have the app open now')
  if (typeof sendAt === 'object') {
    throw fault('winner', ' cannot be had with a local time: the test would last until the last time zone')
  }
  const start = new Date(0)
  if (spanMs(after) >= expiryOf(ttl, product, start).getTime()) {
    throw fault('winner.after', `: expected less than the ttl, got ${show(after)}`)
  }
}
