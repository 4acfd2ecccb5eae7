import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Logger } from '#base/log.ts'
import type { SecretBox } from '#base/secrets/secret-box.ts'
import type { Store } from '#base/store/store.ts'
import type { ApnsCredentials } from '#features/accounts/credential-formats/apns.ts'
import type { Outcome } from '../../provider.ts'
import { type ApnsTokenKey, findApnsToken, lockApnsToken, storeApnsToken } from './apns-tokens-store.ts'

export type ApnsAccess = { kind: 'token'; token: string } | Extract<Outcome, { kind: 'later' | 'paused' }>

/** Apple wants one token per team and key, from all processes, made anew every 20 to 60 minutes. */
export interface ApnsTokens {
  get(credentials: ApnsCredentials): Promise<ApnsAccess>
  /** After Apple called `expired` expired: another one. */
  renew(credentials: ApnsCredentials, expired: string): Promise<ApnsAccess>
}

const MINUTE = 60_000
const youngestMs = 20 * MINUTE
const renewMs = 40 * MINUTE
const oldestMs = 58 * MINUTE
const storeAwayMs = 5_000
const askAgainMs = 30_000

interface Held {
  token: string
  /** When it was made, on this process's monotonic clock. */
  madeAt: number
  /** When the store is asked again, on the same clock. */
  askAt: number
}

/**
 * A process asks the store only when the token it holds is due. Whoever finds the stored one due too makes a new one
 * under the row's lock, and all others then find that. Ages are measured by the database, the one clock they share.
 */
export function openApnsTokens({
  store,
  secretBox,
  log,
}: {
  store: Store
  secretBox: SecretBox
  log: Logger
}): ApnsTokens {
  const held = new Map<string, Held>()
  const underWay = new Map<string, Promise<ApnsAccess>>()

  async function fetchToken(credentials: ApnsCredentials, name: string, expired?: string): Promise<ApnsAccess> {
    try {
      const key = keyOf(credentials)
      const found = read(await findApnsToken(store, key))
      const usable = found && isGood(found.ageMs) && found.token !== expired
      const { token, ageMs } = usable ? found : await renewStored(credentials, key, expired)
      if (token === expired) {
        const minutes = Math.round(ageMs / MINUTE)
        const detail = `APNs calls a token expired that was made ${minutes} minutes ago: is the clock of the database right?`
        return { kind: 'paused', detail }
      }
      const madeAt = performance.now() - ageMs
      held.set(name, { token, madeAt, askAt: madeAt + renewMs })
      return { kind: 'token', token }
    } catch (error) {
      const old = held.get(name)
      if (old && old.token !== expired && performance.now() - old.madeAt < oldestMs) {
        old.askAt = performance.now() + askAgainMs
        return { kind: 'token', token: old.token }
      }
      log.warn({ err: error }, 'no APNs token could be read or made')
      return {
        kind: 'later',
        retryAfterMs: storeAwayMs,
        isForAll: true,
        detail: 'the APNs token cannot be read at the moment',
      }
    }
  }

  function renewStored(credentials: ApnsCredentials, key: ApnsTokenKey, expired: string | undefined) {
    return store.transaction(async (tx) => {
      const row = await lockApnsToken(tx, key)
      const stored = read(row)
      if (stored && !mayRenew(stored, expired)) return stored
      const token = await sign(credentials, row.now)
      await storeApnsToken(tx, key, secretBox.seal(token), row.now)
      return { token, ageMs: 0 }
    })
  }

  function read(row: { sealed: Buffer; ageMs: number } | undefined): { token: string; ageMs: number } | undefined {
    if (!row || row.sealed.length === 0) return undefined
    try {
      return { token: secretBox.open(row.sealed), ageMs: row.ageMs }
    } catch (error) {
      log.warn({ err: error }, 'the stored APNs token cannot be opened; a new one is made')
      return undefined
    }
  }

  function fetchOnce(credentials: ApnsCredentials, name: string, expired?: string): Promise<ApnsAccess> {
    const running = underWay.get(name)
    if (running) return running
    const started = fetchToken(credentials, name, expired).finally(() => underWay.delete(name))
    underWay.set(name, started)
    return started
  }

  return {
    async get(credentials) {
      const name = nameOf(credentials)
      const old = held.get(name)
      if (!old) return fetchOnce(credentials, name)
      const at = performance.now()
      if (at - old.madeAt >= oldestMs) return fetchOnce(credentials, name)
      if (at >= old.askAt) void fetchOnce(credentials, name)
      return { kind: 'token', token: old.token }
    },
    async renew(credentials, expired) {
      const name = nameOf(credentials)
      const old = held.get(name)
      if (old && old.token !== expired) return { kind: 'token', token: old.token }
      const access = await fetchOnce(credentials, name, expired)
      // It may have joined a question that was asked before Apple's answer was known.
      const isSame = access.kind === 'token' && access.token === expired
      return isSame ? fetchOnce(credentials, name, expired) : access
    },
  }
}

/** A negative age is a clock that was put back: nothing is known of that token. */
function isGood(ageMs: number): boolean {
  return ageMs >= 0 && ageMs < renewMs
}

function mayRenew({ token, ageMs }: { token: string; ageMs: number }, expired: string | undefined): boolean {
  if (!isGood(ageMs)) return true
  return token === expired && ageMs >= youngestMs
}

function nameOf({ teamId, keyId, privateKey }: ApnsCredentials): string {
  return `${teamId}/${keyId}/${privateKey}`
}

function keyOf({ teamId, keyId, privateKey }: ApnsCredentials): ApnsTokenKey {
  const publicKey = createPublicKey(createPrivateKey(privateKey)).export({ type: 'spki', format: 'der' })
  return { teamId, keyId, keyHash: createHash('sha256').update(publicKey).digest() }
}

function sign({ teamId, keyId, privateKey }: ApnsCredentials, now: Date): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setIssuedAt(Math.floor(now.getTime() / 1_000))
    .sign(createPrivateKey(privateKey))
}
