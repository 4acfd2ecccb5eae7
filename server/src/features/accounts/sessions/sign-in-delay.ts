import { isIPv6 } from 'node:net'
import type { Bus } from '#base/bus/bus.ts'
import { RequestError } from '#base/errors.ts'
import type { PasswordTurn } from '#base/secrets/passwords.ts'

interface Failures {
  count: number
  lastAt: number
}

interface Keys {
  both: string
  address: string
}

interface Attempt extends Keys {
  hasSucceeded: boolean
}

const topic = 'sign-in'

/** How many failures are free, and how long a wait grows at most. */
const ofBoth = { free: 3, longestSeconds: 900 }
/** Not long: many people may share an address, behind a proxy that nobody told the service of. */
const ofAddress = { free: 20, longestSeconds: 30 }
const forgottenAfterSeconds = 900
const maxRemembered = 10_000

/**
 * After a few failures each further attempt has to wait twice as long: of one address for one e-mail address, and, with
 * more patience, of one address for any. An attempt counts as failed until it succeeded, so that many at once gain nothing.
 */
export class SignInDelay {
  private readonly now: () => number
  /** Pairs of a member and a network from which that member has signed in. */
  private readonly known = new Set<string>()
  private readonly failures = new Map<string, Failures>()
  private readonly tellOthers: (attempt: Attempt) => void

  /** `now` in milliseconds. With a bus, the processes on it count what happens at any of them. */
  constructor(now: () => number, bus?: Pick<Bus, 'hear' | 'tell' | 'peers'>) {
    this.now = now
    this.tellOthers = (attempt) => {
      if (bus && bus.peers.count > 0) void bus.tell(topic, attempt)
    }
    bus?.hear(topic, (attempt) => this.note(attempt as Attempt))
  }

  begin(address: string, email: string): void {
    const keys = keysOf(address, email)
    const waits = [this.waitOf(keys.both, ofBoth), this.waitOf(keys.address, ofAddress)]
    const seconds = Math.ceil(Math.max(...waits))
    if (seconds > 0) {
      throw new RequestError('too-many-requests', `Too many attempts to sign in. Try again in ${seconds} s.`, {
        retryAfterSeconds: seconds,
      })
    }
    this.noteHere({ ...keys, hasSucceeded: false })
  }

  /**
   * Determines the queue for a password check. A network from which the member has signed in does not wait for others.
   */
  turnOf(address: string, email: string): PasswordTurn {
    const { both, address: from } = keysOf(address, email)
    const domain = email
      .slice(email.lastIndexOf('@') + 1)
      .trim()
      .toLowerCase()
    return { from, domain, isKnown: this.known.has(both) }
  }

  succeed(address: string, email: string): void {
    this.noteHere({ ...keysOf(address, email), hasSucceeded: true })
  }

  private noteHere(attempt: Attempt): void {
    this.note(attempt)
    this.tellOthers(attempt)
  }

  private note({ both, address, hasSucceeded }: Attempt): void {
    if (!hasSucceeded) {
      this.count(both)
      this.count(address)
      return
    }
    this.failures.delete(both)
    this.known.delete(both)
    this.known.add(both)
    if (this.known.size > maxRemembered) this.known.delete(this.known.values().next().value as string)
    const others = this.failures.get(address)
    if (others) others.count--
  }

  private waitOf(key: string, { free, longestSeconds }: typeof ofBoth): number {
    const failures = this.failures.get(key)
    if (!failures) return 0
    const passed = (this.now() - failures.lastAt) / 1000
    if (passed > forgottenAfterSeconds) {
      this.failures.delete(key)
      return 0
    }
    if (failures.count < free) return 0
    return Math.min(longestSeconds, 2 ** (failures.count - free)) - passed
  }

  private count(key: string): void {
    const count = (this.failures.get(key)?.count ?? 0) + 1
    // Set anew, so that the oldest come first.
    this.failures.delete(key)
    this.failures.set(key, { count, lastAt: this.now() })
    if (this.failures.size <= maxRemembered) return
    const [oldest] = this.failures.keys()
    this.failures.delete(oldest as string)
  }
}

function keysOf(address: string, email: string): Keys {
  const from = network(address)
  return { both: `${from} ${email.trim().toLowerCase()}`, address: from }
}

/** Whoever has an IPv6 address has 2^64 of them. */
function network(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail?.split(':') ?? [])]
    .slice(0, 4)
    .join(':')
}
