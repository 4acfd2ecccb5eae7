import type { DryRun } from '@peyk/contract'
import sql, { type Sql } from 'sql-template-tag'
import { takeTurns } from '#base/concurrency/turns.ts'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { type AppLook, getAppLook } from '../../accounts/apps/get-app-look.ts'
import { getPromoRules } from '../../accounts/apps/get-promo-rules.ts'
import type { Draft } from '../../messages/accept/draft-message.ts'
import type { PersonalDraft } from '../../messages/accept/draft-personal.ts'
import type { NamedDraft } from '../../messages/accept/named-draft.ts'
import { compilePush } from '../../messages/payloads/compile-push.ts'
import type { CompiledPush } from '../../messages/payloads/compiled-push.ts'
import type { When } from '../../messages/schedule/read-when.ts'
import { withheldInstallations } from '../../promo/installations-without-codes.ts'
import type { Audience } from '../../segments/compile/compile-audience.ts'
import { listUnguarded } from './message-variables.ts'
import { countMissingValues, type MissingValue } from './missing-values.ts'
import { countUsers, findAudience, findNamed, groupByReach, type ReachGroup } from './preview-audience.ts'
import { CodesLedger } from './preview-codes.ts'
import { countHeldBack } from './preview-hand-overs.ts'
import { countByLanguage, groupByTexts, splitByLanguage } from './preview-languages.ts'
import { judgeGroups, skippedOutcome } from './preview-outcomes.ts'
import { previewPace } from './preview-pace.ts'
import { countPhones, type PhoneCount } from './preview-phones.ts'
import {
  mergeMoments,
  type Plan,
  planHours,
  planMoment,
  readTimed,
  type Timed,
  type WithLocalTime,
} from './preview-plan.ts'
import { readSampleRecipients } from './preview-recipients.ts'
import type { SamplesToWrite } from './preview-samples.ts'
import { countByVariant, divideByShare } from './preview-variants.ts'
import { type ProviderSetup, readProviderSetup } from './read-provider-setup.ts'
import { findUnknownVariables, type UnknownVariable } from './unknown-variables.ts'

export type InTransaction = Context & { tx: Transaction }

/** All that a dry run reads; what it answers is written from this, when the transaction is over. */
export interface ReadPreview {
  known: Pick<
    DryRun,
    | 'count'
    | 'outcomes'
    | 'languages'
    | 'variants'
    | 'test'
    | 'takesSeconds'
    | 'sms'
    | 'promo'
    | 'category'
    | 'waiting'
    | 'ends'
    | 'plan'
  >
  samples: SamplesToWrite
  unknown: readonly UnknownVariable[]
  /** Only of variables that somebody has. */
  missing: readonly MissingValue[]
  /** Installations whose turn comes when the message has expired. */
  late: number
  setup: ProviderSetup
}

/** A message and what was found out about it. */
interface Looked {
  draft: Draft
  compiled: CompiledPush
  groups: readonly ReachGroup[]
  /** The statement that finds its installations, and which of its messages this is. */
  found: Sql
  position: number
  /** Whether these may be a large part of the app. */
  isBroad: boolean
  /** Of an audience that gets it at a local time. */
  timed?: Timed | undefined
  /** Users it reaches; only when it takes codes, and undefined where they are not counted yet. */
  users: number | undefined
  phones: PhoneCount | undefined
}

interface Stock {
  setup: ProviderSetup
  codes: CodesLedger
}

const elementsWithSamples = 20

export async function readGroup(
  ctx: InTransaction,
  draft: Draft,
  audience: Audience,
  when: When | undefined,
): Promise<ReadPreview> {
  const look = await getAppLook(ctx)
  const looked = await lookAt(ctx, { draft, audience, when }, look)
  return readPreview(ctx, looked, await openStock(ctx), { hasSamples: true, when })
}

/** Named users are looked up together, whichever message is theirs; everybody on a channel once for each channel. */
export async function readPersonal(
  ctx: InTransaction,
  drafts: readonly PersonalDraft[],
  times: readonly (When | undefined)[],
): Promise<ReadPreview[]> {
  const look = await getAppLook(ctx)
  const stock = await openStock(ctx)
  const named = await lookAtNamed(ctx, drafts.filter(isNamed), look)
  const everybody = new Map<string, Looked>()
  const previews: ReadPreview[] = []
  const nextTurn = takeTurns()
  for (const [index, draft] of drafts.entries()) {
    await nextTurn()
    const hasSamples = index < elementsWithSamples
    const when = times[index]
    const toEverybody = { draft, when: hasSamples ? when : undefined }
    const looked = named.get(draft) ?? (await lookAtEverybody(ctx, toEverybody, look, everybody))
    previews.push(await readPreview(ctx, looked, stock, { hasSamples, when }))
  }
  return previews
}

interface ToAudience {
  draft: Draft
  audience: Audience
  when: When | undefined
}

async function lookAt(ctx: InTransaction, { draft, audience, when }: ToAudience, look: AppLook): Promise<Looked> {
  const compiled = compile(draft, look)
  const found = await findAudience(ctx, audience, draft, await readWithheld(ctx, [compiled], draft.acceptedAt))
  const position = 1
  const byLanguage = compiled.languageFor !== undefined
  const known = { draft, compiled, found, position, isBroad: true, phones: undefined }
  if (hasLocalTime(when)) {
    const timed = await readTimed(ctx, { found, position, isBroad: true, byLanguage }, when)
    return { ...known, timed, groups: mergeMoments(timed.groups), users: undefined }
  }
  const users = compiled.needsPromoCode ? await countUsersOf(ctx, { found, position }) : undefined
  return { ...known, users, groups: await groupByReach(ctx.tx, ctx.app.id, found, { byLanguage }) }
}

async function lookAtEverybody(
  ctx: InTransaction,
  { draft, when }: Omit<ToAudience, 'audience'>,
  look: AppLook,
  known: Map<string, Looked>,
): Promise<Looked> {
  const compiled = compile(draft, look)
  const { needsPromoCode, languageFor } = compiled
  const key = `${draft.channel.name} ${draft.body.live} ${needsPromoCode} ${languageFor !== undefined} ${JSON.stringify(hasLocalTime(when) ? when : null)}`
  const looked = known.get(key) ?? (await lookAt(ctx, { draft, audience: { target: {} }, when }, look))
  known.set(key, looked)
  return { ...looked, draft, compiled }
}

async function lookAtNamed(ctx: InTransaction, drafts: NamedDraft[], look: AppLook): Promise<Map<Draft, Looked>> {
  if (drafts.length === 0) return new Map()
  const nextTurn = takeTurns()
  const compiled: CompiledPush[] = []
  for (const draft of drafts) {
    await nextTurn()
    compiled.push(compile(draft, look))
  }
  const at = drafts[0]?.acceptedAt as Date
  const found = findNamed(ctx.app.id, drafts, await readWithheld(ctx, compiled, at))
  const byLanguage = compiled.some(({ languageFor }) => languageFor !== undefined)
  const groups = Map.groupBy(await groupByReach(ctx.tx, ctx.app.id, found, { byLanguage }), ({ position }) => position)
  const needsCodes = compiled.some(({ needsPromoCode }) => needsPromoCode)
  const users = needsCodes ? await countUsers(ctx.tx, found) : new Map<number, number>()
  const phones = await countPhones(ctx.tx, ctx.app.id, drafts)
  return new Map(
    drafts.map((draft, index) => {
      const own = compiled[index] as CompiledPush
      return [
        draft,
        {
          draft,
          compiled: own,
          groups: (groups.get(index + 1) ?? []).map((group) => ({
            ...group,
            is_withheld: group.is_withheld && own.needsPromoCode,
          })),
          found,
          position: index + 1,
          isBroad: false,
          users: own.needsPromoCode ? (users.get(index + 1) ?? 0) : undefined,
          phones: phones.get(index + 1),
        },
      ]
    }),
  )
}

async function readPreview(
  ctx: InTransaction,
  all: Looked,
  { setup, codes }: Stock,
  { hasSamples, when }: { hasSamples: boolean; when: When | undefined },
): Promise<ReadPreview> {
  const { plan, looked } = await planFor(ctx, all, hasSamples ? when : undefined)
  const { draft, compiled, phones } = looked
  const users = looked.users ?? (compiled.needsPromoCode ? await countUsersOf(ctx, looked) : undefined)
  const groups = groupByTexts(divideByShare(looked.groups, draft), compiled.languageFor)
  const languages = countByLanguage(draft, groups)
  const judged = judgeGroups(draft, groups, setup.providers)
  const promo = users === undefined ? undefined : await codes.reserve(draft.trackId, users)
  const wanted = hasSamples ? judged.wanted : []
  const heldBack =
    draft.body.category === undefined
      ? undefined
      : await countHeldBack(ctx.tx, looked, when ?? { dueAt: draft.acceptedAt })
  const unknown = hasSamples ? await findUnknownVariables(ctx, draft.body) : []
  const recipients = await readSampleRecipients(ctx, wanted, compiled.attributes, promo?.sampleCode)
  const pace = previewPace(draft, countMembers(all))
  return {
    known: {
      count: countMembers(all),
      outcomes: plan?.skipped ? [...judged.outcomes, skippedOutcome(plan.skipped)] : judged.outcomes,
      ...(languages && { languages }),
      ...(pace && { takesSeconds: pace.takesSeconds }),
      ...countByVariant(draft, groups),
      ...(phones && { sms: phones }),
      ...(promo && { promo }),
      ...(draft.body.category !== undefined && { category: draft.body.category }),
      ...heldBack,
      ...(plan && { plan: plan.hours }),
    },
    samples: { wanted, recipients, compiled, at: draft.acceptedAt },
    unknown,
    missing: hasSamples ? await findMissing(ctx, looked, unknown) : [],
    late: pace?.late ?? 0,
    setup,
  }
}

/** The plan of a message that goes later, and those who are not left out because their local time has passed. */
async function planFor(
  ctx: InTransaction,
  all: Looked,
  when: When | undefined,
): Promise<{ plan?: Plan; looked: Looked }> {
  if (!when) return { looked: all }
  if (!hasLocalTime(when)) return { plan: planMoment(when.dueAt, countMembers(all)), looked: all }
  const { needsPromoCode, languageFor } = all.compiled
  const timed = all.timed ?? (await readTimed(ctx, { ...all, byLanguage: languageFor !== undefined }, when))
  const plan = planHours(timed)
  if (plan.skipped === 0) return { plan, looked: all }
  const going = timed.groups.filter(({ is_member, moment }) => !is_member || moment !== null)
  const groups = mergeMoments(going.map((group) => ({ ...group, is_withheld: group.is_withheld && needsPromoCode })))
  return { plan, looked: { ...all, groups, found: timed.going, users: undefined } }
}

function hasLocalTime(when: When | undefined): when is WithLocalTime {
  return when?.localTime !== undefined
}

async function countUsersOf({ tx }: InTransaction, { found, position }: Pick<Looked, 'found' | 'position'>) {
  return (await countUsers(tx, found)).get(position) ?? 0
}

function countMembers({ groups }: Looked): number {
  return groups.reduce((sum, group) => sum + (group.is_member ? group.count : 0), 0)
}

/**
 * Those who get a text without a variable do not lack its value: each language is looked at by itself. Which variant
 * somebody gets is not known: whoever lacks a value for one of them is counted.
 */
async function findMissing(
  ctx: InTransaction,
  { draft, compiled, groups, found, position }: Looked,
  unknown: readonly UnknownVariable[],
): Promise<MissingValue[]> {
  const isKnown = (name: string) => unknown.every(({ variable }) => variable !== name)
  const counts = new Map<string, number>()
  for (const { contents, written } of splitByLanguage(draft, groups, compiled.languageFor)) {
    const unguarded = [...new Set(contents.flatMap(listUnguarded))].filter(isKnown)
    const missing = await countMissingValues(ctx.tx, ctx.app.id, { found, position, written }, unguarded)
    for (const { variable, count } of missing) counts.set(variable, (counts.get(variable) ?? 0) + count)
  }
  return [...counts].map(([variable, count]) => ({ variable, count }))
}

/** Of installations `i`: those that get no codes, where a message brings one. */
async function readWithheld(ctx: InTransaction, compiled: readonly CompiledPush[], at: Date): Promise<Sql> {
  if (!compiled.some(({ needsPromoCode }) => needsPromoCode)) return sql`false`
  return withheldInstallations(await getPromoRules(ctx.tx, ctx.app.id), at) ?? sql`false`
}

function compile(draft: Draft, look: AppLook): CompiledPush {
  return compilePush({ ...draft, content: draft.body }, look)
}

async function openStock(ctx: InTransaction): Promise<Stock> {
  return { setup: await readProviderSetup(ctx), codes: new CodesLedger(ctx.tx, ctx.app.id) }
}

function isNamed(draft: PersonalDraft): draft is NamedDraft {
  return draft.userIds !== undefined
}
