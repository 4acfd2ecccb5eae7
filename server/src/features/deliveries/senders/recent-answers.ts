import { SharedFigures } from '#base/bus/shared-figures.ts'
import type { Store } from '#base/store/store.ts'

export interface AnswerCounts {
  answered: number
  dead: number
}

interface Window {
  sinceMs: number
  now: AnswerCounts
  before: AnswerCounts
}

const windowMs = 5 * 60_000
const tellEveryMs = 1_000
const none: AnswerCounts = { answered: 0, dead: 0 }

/** What was said of tokens in the last five to ten minutes: where each batch is one user's, none of them says anything. */
export class RecentAnswers {
  private readonly windows = new Map<string, Window>()
  private readonly shared: SharedFigures<AnswerCounts> | undefined

  /** With a store, what other processes on it were answered counts too. */
  constructor(store?: Store) {
    this.shared = store && new SharedFigures(store, 'token-answers', { everyMs: tellEveryMs, keptMs: windowMs })
  }

  /** Counts what came, and answers what came lately with it. `key` names the app and the provider. */
  add(key: string, { answered, dead }: AnswerCounts, nowMs: number): AnswerCounts {
    const window = this.move(this.windows.get(key), nowMs)
    window.now = { answered: window.now.answered + answered, dead: window.now.dead + dead }
    this.windows.set(key, window)
    const own = addUp([window.now, window.before])
    this.shared?.set(key, own)
    return addUp([own, ...(this.shared?.ofOthers(key) ?? [])])
  }

  private move(window: Window | undefined, nowMs: number): Window {
    const ageMs = window ? nowMs - window.sinceMs : Number.POSITIVE_INFINITY
    if (window && ageMs < windowMs) return window
    return { sinceMs: nowMs, now: none, before: window && ageMs < 2 * windowMs ? window.now : none }
  }
}

function addUp(counts: readonly AnswerCounts[]): AnswerCounts {
  return counts.reduce(
    (sum, { answered, dead }) => ({ answered: sum.answered + answered, dead: sum.dead + dead }),
    none,
  )
}
