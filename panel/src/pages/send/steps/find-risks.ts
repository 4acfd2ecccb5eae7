import type { ComposedMessage, DryRun, OwnApp } from '@peyk/contract'
import type { Texts } from '#texts/en.ts'
import type { Format } from '#texts/format.ts'

type Rules = Pick<OwnApp, 'quietHours' | 'caps' | 'controlGroup'>
type Asked = Pick<
  ComposedMessage,
  'winner' | 'variants' | 'control' | 'goal' | 'repeat' | 'user' | 'users' | 'category'
>

interface Checked {
  dryRun: DryRun
  /** Undefined if there are too many to count. */
  users: number | undefined
  message: Asked
  /** Undefined until loaded. */
  app: Rules | undefined
}

export type Risk =
  | { kind: 'no-limits' }
  | { kind: 'codes-later'; needed: number; left: number }
  | { kind: 'test-too-small'; name: string; users: number; hasWinner: boolean; testShare: number | undefined }

/** Minimum users per variant for the service to compare them. */
export const leastUsers = 100
/** Users are assigned at random: with this many expected, hardly any variant gets fewer than it needs. */
const safeUsers = 120
const widestTest = 90

/** Risks that are no fault in a dry run but surprise the sender later. */
export function findRisks(checked: Checked): Risk[] {
  return [findIgnoredLimits(checked), findLaterCodes(checked), findSmallTest(checked)].flatMap((risk) => risk ?? [])
}

/** A choice of "transactional" is deliberate; a missing category is often an oversight. */
function findIgnoredLimits({ dryRun, message, app }: Checked): Risk | undefined {
  const isToNamed = message.user !== undefined || message.users !== undefined
  const hasLimits = app && (app.quietHours !== undefined || app.caps.length > 0 || app.controlGroup > 0)
  return hasLimits && !isToNamed && dryRun.category === undefined && message.category === undefined
    ? { kind: 'no-limits' }
    : undefined
}

function findLaterCodes({ dryRun: { promo }, message }: Checked): Risk | undefined {
  if (!message.repeat || !promo || promo.needed === 0) return undefined
  const left = promo.campaignLeft + promo.globalLeft
  const wanted = promo.needed * Math.max(2, message.repeat.count ?? 2)
  return left < wanted ? { kind: 'codes-later', needed: promo.needed, left } : undefined
}

function findSmallTest({ dryRun, users, message }: Checked): Risk | undefined {
  const { variants, count } = dryRun
  if (!variants || count === 0) return undefined
  const usersPerDevice = users === undefined ? 1 : users / count
  const isCompared = (name: string) => name !== 'control' || message.goal !== undefined || message.winner !== undefined
  const groups = Object.entries(variants)
    .filter(([name]) => isCompared(name))
    .map(([name, devices]) => ({ name, users: Math.floor(devices * usersPerDevice) }))
  const smallest = groups.toSorted((one, other) => one.users - other.users)[0]
  if (groups.length < 2 || !smallest || smallest.users >= leastUsers) return undefined
  const { winner } = message
  const share = winner && smallest.users > 0 ? Math.ceil((winner.testShare * safeUsers) / smallest.users) : undefined
  return {
    kind: 'test-too-small',
    ...smallest,
    hasWinner: winner !== undefined,
    testShare: share !== undefined && share <= widestTest ? share : undefined,
  }
}

export function sayRisk(risk: Risk, words: Texts['send']['plan']['risks'], format: Format): string {
  switch (risk.kind) {
    case 'no-limits':
      return words.noLimits
    case 'codes-later':
      return words.codesLater(
        format.number(risk.needed),
        format.number(risk.left),
        Math.floor(risk.left / risk.needed),
        format.number(Math.floor(risk.left / risk.needed)),
      )
    case 'test-too-small': {
      const least = format.number(leastUsers)
      const users = format.number(risk.users)
      if (!risk.hasWinner) return words.tooSmallToCompare(risk.name, users, least)
      const remedy = risk.testShare === undefined ? words.tooFew : words.widerTest(format.percent(risk.testShare / 100))
      return `${words.tooSmallToDecide(risk.name, users, least)} ${remedy}`
    }
  }
}
