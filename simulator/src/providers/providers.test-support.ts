import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import { importPKCS8, SignJWT } from 'jose'
import { createProviderKeys, type ProviderKeys } from './keys.ts'
import { type Providers, type ProvidersOptions, startProviders } from './start-providers.ts'

export interface Result {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

let keys: Promise<ProviderKeys> | undefined

/** Making RSA keys takes a while: once per file. */
export async function startTestProviders(options: Partial<ProvidersOptions> = {}): Promise<Providers> {
  keys ??= createProviderKeys()
  return startProviders({ keys: await keys, ...options })
}

export function openSession(providers: Providers, url: string): ClientHttp2Session {
  const session = connect(url, { ca: providers.ca })
  session.on('error', () => undefined)
  return session
}

/** Rejects when the stream ends without an answer. */
export function ask(
  session: ClientHttp2Session,
  path: string,
  headers: Record<string, string>,
  body: string | Buffer,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':method': 'POST', ':path': path, ...headers })
    let answer: IncomingHttpHeaders = {}
    let text = ''
    stream.setEncoding('utf8')
    stream.on('response', (received) => {
      answer = received
    })
    stream.on('data', (chunk) => {
      text += chunk
    })
    stream.on('error', reject)
    stream.on('close', () => {
      const status = Number((answer as Record<string, unknown>)[':status'])
      if (status) resolve({ status, headers: answer, body: text })
      else reject(Object.assign(new Error('no answer'), { rstCode: stream.rstCode }))
    })
    stream.end(body)
  })
}

/** HTTP/1.1 over TLS. */
export function askHttps(
  providers: Providers,
  url: string,
  headers: Record<string, string>,
  body: string | Buffer,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(url, { method: 'POST', ca: providers.ca, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

export const nowSeconds = () => Math.floor(Date.now() / 1000)

export async function signAssertion(providers: Providers, claims: object = {}, privateKey?: string): Promise<string> {
  const account = providers.credentials.fcm
  const key = await importPKCS8(privateKey ?? account.private_key, 'RS256')
  return new SignJWT({
    iss: account.client_email,
    aud: account.token_uri,
    scope: 'https://www.googleapis.com/auth/firebase.messaging',
    iat: nowSeconds(),
    exp: nowSeconds() + 3600,
    ...claims,
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: account.private_key_id })
    .sign(key)
}

export async function fetchAccessToken(providers: Providers): Promise<string> {
  const body = tokenForm(await signAssertion(providers))
  const answer = await askHttps(providers, providers.oauthUrl, formHeaders, body)
  return JSON.parse(answer.body).access_token
}

export const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }

export function tokenForm(assertion: string): string {
  return new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString()
}

export async function signApnsToken(providers: Providers, claims: object = {}, header: object = {}): Promise<string> {
  const { key, keyId, teamId } = providers.credentials.apns
  return new SignJWT({ iss: teamId, iat: nowSeconds(), ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: keyId, ...header })
    .sign(await importPKCS8(key, 'ES256'))
}
