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
const none: AnswerCounts = { answered: 0, dead: 0 }

/** What was said of tokens in the last five to ten minutes: where each batch is one user's, none of them says anything. */
export class RecentAnswers {
  private readonly windows = new Map<string, Window>()

  /** Counts what came, and answers what came lately with it. `key` names the app and the provider. */
  add(key: string, { answered, dead }: AnswerCounts, nowMs: number): AnswerCounts {
    const window = this.move(this.windows.get(key), nowMs)
    window.now = { answered: window.now.answered + answered, dead: window.now.dead + dead }
    this.windows.set(key, window)
    return { answered: window.now.answered + window.before.answered, dead: window.now.dead + window.before.dead }
  }

  private move(window: Window | undefined, nowMs: number): Window {
    const ageMs = window ? nowMs - window.sinceMs : Number.POSITIVE_INFINITY
    if (window && ageMs < windowMs) return window
    return { sinceMs: nowMs, now: none, before: window && ageMs < 2 * windowMs ? window.now : none }
  }
}
