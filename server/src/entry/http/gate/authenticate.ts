import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import type { Store } from '#base/store/store.ts'
import { type AccessToken, findToken } from '#features/accounts/access-tokens/find-token.ts'
import { onKeyChange } from '#features/accounts/access-tokens/key-change.ts'
import type { Scope } from '#features/accounts/access-tokens/scopes.ts'
import { reservedLabels } from '#features/accounts/apps/check-names.ts'
import { onIdentityChange } from '#features/accounts/apps/identity-change.ts'
import type { Route } from '../route.ts'

const tokenForm = /^[0-9a-f]{40}$/
const maxCachedTokens = 10_000

/**
 * Finds who calls. A token is looked up in the store at most once in 0.9 s and remembered in between, so that a
 * revoked one is refused within a second whichever process revoked it. The tokens of an app whose identity secret
 * changes, or of which one is revoked, are forgotten at once, and not remembered again until the change is certainly
 * committed.
 */
export class Authenticator {
  private readonly store: Store
  private readonly now: () => number
  private readonly cache = new LRUCache<string, { token: AccessToken; until: number }>({ max: maxCachedTokens })
  private readonly lookups = new Map<string, Promise<AccessToken | undefined>>()
  /** Apps whose identity secret or tokens changed just now, and until when. */
  private readonly changing = new Map<number, number>()

  constructor(store: Store, now: () => number) {
    this.store = store
    this.now = now
    onIdentityChange(store, (appId) => this.forget(appId))
    onKeyChange(store, (appId) => this.forget(appId))
  }

  private forget(appId: number): void {
    this.changing.set(appId, this.now() + limits.tokenCacheMs)
    this.lookups.clear()
    // A copy, because walking through a cache while it changes is not defined.
    for (const [text, { token }] of [...this.cache]) if (token.app.id === appId) this.cache.delete(text)
  }

  private isChanging(appId: number): boolean {
    const until = this.changing.get(appId)
    if (until === undefined) return false
    if (until > this.now()) return true
    this.changing.delete(appId)
    return false
  }

  /** Without a promise when the token is remembered: the usual case, and the hot one. */
  find(text: string): AccessToken | Promise<AccessToken> {
    const cached = this.cache.get(text)
    if (cached && cached.until > this.now()) return cached.token
    return this.lookUp(text)
  }

  private async lookUp(text: string): Promise<AccessToken> {
    if (!tokenForm.test(text)) throw unknownToken()
    let lookup = this.lookups.get(text)
    if (!lookup) {
      lookup = findToken(this.store, text)
      this.lookups.set(text, lookup)
    }
    const token = await lookup.finally(() => {
      if (this.lookups.get(text) === lookup) this.lookups.delete(text)
    })
    if (!token) {
      this.cache.delete(text)
      throw unknownToken()
    }
    if (this.isChanging(token.app.id)) return token
    this.cache.set(text, { token, until: this.now() + limits.tokenCacheMs })
    return token
  }
}

function unknownToken() {
  return new RequestError('unknown-token', 'The access token is unknown, revoked or expired.')
}

/**
 * [requests.md#access-tokens] Query, X-Access-Token or Authorization; the same token in two places is fine, two
 * different ones are not.
 */
export function readToken(request: FastifyRequest): string {
  const { authorization, 'x-access-token': header } = request.headers
  const query = (request.query as Record<string, unknown>).access_token
  const bearer = authorization && /^bearer (.+)$/i.exec(authorization)?.[1]?.trim()
  let found: string | undefined
  for (const candidate of [header, bearer, ...(Array.isArray(query) ? query : [query])]) {
    if (typeof candidate !== 'string' || candidate === '' || candidate === found) continue
    if (found !== undefined)
      throw new RequestError('no-token', 'The request carries different access tokens. Send one.')
    found = candidate
  }
  if (found !== undefined) return found
  throw new RequestError(
    'no-token',
    'No access token. Send it as the query parameter access_token, or as the header X-Access-Token or Authorization: Bearer.',
  )
}

/** [requests.md#apps-and-addresses] The label before the base host names the app; a token of another app does not fit. */
export function checkHost(token: AccessToken, hostHeader: string | undefined, baseHost: string | undefined): void {
  const label = labelOfHost(hostHeader, baseHost)
  if (label !== undefined && label !== token.app.label) {
    throw new RequestError('foreign-token', `The access token does not belong to the app "${label}".`)
  }
}

export function labelOfHost(hostHeader: string | undefined, baseHost: string | undefined): string | undefined {
  if (!baseHost || !hostHeader) return undefined
  const host = withoutRootDot(hostHeader.replace(/:\d*$/, '').toLowerCase())
  if (!host.endsWith(`.${baseHost}`)) return undefined
  const label = host.slice(0, -baseHost.length - 1)
  return reservedLabels.includes(label) ? undefined : label
}

/** `shop.push.example.com.` is the same host. Uses a loop, because a regular expression would take quadratic time. */
function withoutRootDot(host: string): string {
  let end = host.length
  while (host[end - 1] === '.') end--
  return host.slice(0, end)
}

export function checkScope(token: AccessToken, route: Pick<Route, 'scopes' | 'hasEffect'>): void {
  if (token.scopes.some((scope) => covers(scope, route))) return
  throw new RequestError(
    'wrong-scope',
    `This endpoint needs a token with the scope ${neededScopes(route).join(' or ')}; this one has ${token.scopes.join(', ')}.`,
  )
}

function covers(scope: Scope, route: Pick<Route, 'scopes' | 'hasEffect'>): boolean {
  return scope === 'server' || route.scopes.includes(scope) || (scope === 'read' && !route.hasEffect)
}

function neededScopes(route: Pick<Route, 'scopes' | 'hasEffect'>): Scope[] {
  return [...new Set<Scope>(['server', ...route.scopes, ...(route.hasEffect ? [] : (['read'] as const))])]
}

/** Browsers say where a request comes from; a client key may be limited to some places. */
export function checkOrigin(token: AccessToken, origin: string | undefined): void {
  if (!token.origins || origin === undefined || token.origins.includes(origin)) return
  throw new RequestError('wrong-origin', `The client key is not allowed to be used from ${origin}.`)
}
