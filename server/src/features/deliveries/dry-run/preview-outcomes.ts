import type { DryRun } from '@peyk/contract'
import type { Draft } from '../../messages/accept/draft-message.ts'
import { hasWordings } from '../../messages/payloads/compile-wordings.ts'
import { choosePath, type Path, providerInReason } from '../choose-path.ts'
import { describeCode } from '../details/detail.ts'
import { type ProviderName, providerNames } from '../provider.ts'
import type { ReachGroup } from './preview-audience.ts'
import { reachOf } from './preview-reach.ts'
import type { SampleWanted } from './preview-samples.ts'
import { variantOfGroup } from './preview-variants.ts'

type Outcome = DryRun['outcomes'][number]

/** Of a message with several wordings one of each. */
const samplesPerTarget = { ofOne: 2, ofEach: 1 }
const paths: readonly string[] = [...providerNames, 'connection', 'inbox', 'ended']

/** What becomes of a message's installations, and which of them show it best. */
export function judgeGroups(
  { product, body }: Pick<Draft, 'product' | 'body'>,
  groups: readonly ReachGroup[],
  providers: ReadonlySet<ProviderName>,
): { outcomes: Outcome[]; wanted: SampleWanted[] } {
  const { silent = false, inApp = false, live = false, autoNotify = false } = body
  const flags = { product, silent, inApp, live, autoNotify }
  const most = hasWordings(body) ? samplesPerTarget.ofEach : samplesPerTarget.ofOne
  const outcomes = new Map<string, Outcome>()
  const wanted = new Map<string, SampleWanted[]>()
  for (const group of groups) {
    const path = pathOf(group, choosePath(flags, reachOf(group), providers))
    const outcome = outcomes.get(path.why) ?? outcomeOf(path)
    outcome.count += group.count
    outcomes.set(path.why, outcome)
    const provider = pushProviderOf(path)
    if (provider === undefined) continue
    const { platform, language } = group
    const variant = variantOfGroup({ body }, group)
    if (body.variants && variant === undefined) continue
    const target = {
      provider,
      platform,
      ...(language !== null && { language }),
      ...(variant !== undefined && { variant }),
    }
    const numbers = [...new Set([group.first_no, group.last_no])]
    const known = wanted.get(JSON.stringify(target)) ?? []
    known.push(...numbers.map((installationNo) => ({ ...target, installationNo })))
    wanted.set(JSON.stringify(target), known)
  }
  return {
    outcomes: [...outcomes.values()].sort(
      (a, b) => paths.indexOf(a.path) - paths.indexOf(b.path) || b.count - a.count || (a.why < b.why ? -1 : 1),
    ),
    wanted: [...wanted.values()].flatMap((samples) => samples.slice(0, most)),
  }
}

/** Also of those that get a push only if they do not confirm. */
function pushProviderOf(path: Path): ProviderName | undefined {
  return path.kind === 'provider' ? path.provider : path.kind === 'connection' ? path.next : undefined
}

/** In the order of the delivery itself: a code is looked for only where there is a way. */
function pathOf(group: ReachGroup, chosen: Path): Path {
  if (!group.is_member) return outsideChannel
  return group.is_withheld && chosen.kind !== 'ended' ? promoWithheld : chosen
}

const promoWithheld: Path = {
  kind: 'ended',
  reason: 'promo-withheld',
  code: 'promo-withheld',
  why: describeCode('promo-withheld'),
}

const outsideChannel: Path = {
  kind: 'ended',
  reason: 'not-in-channel',
  code: 'not-in-channel',
  why: describeCode('not-in-channel'),
}

/** Installations that are left out because their local time has passed. */
export function skippedOutcome(count: number): Outcome {
  const code = 'time-passed'
  return { ...outcomeOf({ kind: 'ended', reason: 'skipped', code, why: describeCode(code) }), count }
}

function outcomeOf(path: Path): Outcome {
  const { kind, code, why } = path
  const provider = providerInReason(path)
  return {
    path: kind === 'provider' ? path.provider : kind,
    ...(kind === 'ended' && { reason: path.reason }),
    why,
    code,
    ...(provider && { provider }),
    count: 0,
  }
}
