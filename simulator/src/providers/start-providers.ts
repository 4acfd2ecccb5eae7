import { createApns } from './apns/apns.ts'
import { type Credentials, issueCredentials } from './credentials.ts'
import { FaultList } from './fault-list.ts'
import type { FaultRule, FaultTarget } from './fault-rule.ts'
import { createFcm } from './fcm/fcm.ts'
import { openProviderServer, type ProviderServer, type ProviderServerOptions } from './http/provider-server.ts'
import type { Exchange } from './http/request.ts'
import type { ProviderKeys } from './keys.ts'
import { PushRecord, type RecordMode, type TakenPush } from './record.ts'
import { serveProvider } from './serve-provider.ts'
import { createSms } from './sms/sms.ts'
import { type DeadToken, Tokens } from './tokens.ts'
import { createWebPush } from './web-push/web-push.ts'

export const serverNames = ['fcm', 'fcmTls', 'apns', 'webPush', 'sms'] as const
export type DoorName = (typeof serverNames)[number]

export interface ProvidersOptions {
  /** 127.0.0.1 by default. The URLs say `localhost` all the same. */
  host?: string
  /** Free ones by default. A browser's subscription holds the port of `webPush`: keep it over a restart. */
  ports?: Partial<Record<DoorName, number>>
  /** From `createProviderKeys`, kept over restarts. */
  keys: ProviderKeys
  /** From `tokens.listDead` before a restart. */
  dead?: readonly DeadToken[]
  faults?: Partial<Record<FaultTarget, readonly FaultRule[]>>
  record?: RecordMode
  /** How many pushes the record keeps; the oldest go first. 10,000 by default. */
  recordSize?: number
  /** How many streams a connection may have at a time. 100 by default, 1000 for APNs after its first 200. */
  streams?: Partial<Record<DoorName, number>>
  /** How long FCM's access tokens live. One hour by default. */
  accessTokenSeconds?: number
  /** How often a team may renew its token for APNs. 20 minutes by default. */
  apnsRenewalSeconds?: number
  now?: () => number
}

export interface Providers {
  /** HTTP/2 without TLS (prior knowledge) and HTTP/1.1. */
  fcmUrl: string
  /** HTTP/2 and HTTP/1.1 over TLS; the OAuth endpoint is here too. */
  fcmTlsUrl: string
  /** The token_uri of the service account: on `fcmTlsUrl`. */
  oauthUrl: string
  apnsUrl: string
  webPushOrigin: string
  /** Twilio's API and the generic gateway. */
  smsUrl: string
  ports: Record<DoorName, number>
  /** PEM of the certificate that all of TLS here is signed with. */
  ca: string
  credentials: Credentials
  faults: FaultList
  record: PushRecord
  tokens: Tokens
  /** Every access token of FCM that was given out is refused from now on. */
  expireAccessTokens(): void
  /** Called with every push that a provider has taken. Answers how to end that. */
  onTaken(listener: (push: TakenPush) => void): () => void
  close(): Promise<void>
}

type Serve = (exchange: Exchange) => void

const serverKinds: Record<
  DoorName,
  Pick<ProviderServerOptions, 'protocols' | 'maxConcurrentStreams' | 'firstStreams'> & { isSecure: boolean }
> = {
  fcm: { isSecure: false, protocols: ['h2', 'http/1.1'], maxConcurrentStreams: 100 },
  fcmTls: { isSecure: true, protocols: ['h2', 'http/1.1'], maxConcurrentStreams: 100 },
  apns: { isSecure: true, protocols: ['h2'], maxConcurrentStreams: 1000, firstStreams: 1 },
  webPush: { isSecure: true, protocols: ['h2', 'http/1.1'], maxConcurrentStreams: 100 },
  sms: { isSecure: false, protocols: ['http/1.1'], maxConcurrentStreams: 100 },
}

/** The simulated providers, listening. */
export async function startProviders(options: ProvidersOptions): Promise<Providers> {
  const { keys, host = '127.0.0.1', now = Date.now } = options
  // The providers know their own addresses, so their servers open first.
  const serving: Partial<Record<DoorName, Serve>> = {}
  const servers = await openProviderServers(options, host, serving)
  const ports = {
    fcm: servers.fcm.port,
    fcmTls: servers.fcmTls.port,
    apns: servers.apns.port,
    webPush: servers.webPush.port,
    sms: servers.sms.port,
  }
  const fcmTlsUrl = `https://localhost:${ports.fcmTls}`
  const webPushOrigin = `https://localhost:${ports.webPush}`
  const smsUrl = `http://localhost:${ports.sms}`
  const oauthUrl = `${fcmTlsUrl}/token`

  const tokens = new Tokens(Buffer.from(keys.secret, 'base64url'), webPushOrigin, now)
  tokens.loadDead(options.dead ?? [])
  const faults = new FaultList(options.faults)
  const record = new PushRecord(options.record, options.recordSize)
  const fcm = createFcm({ keys, tokens, ports, now, accessTokenSeconds: options.accessTokenSeconds ?? 3600 })
  const world = { faults, record, now }
  serving.fcm = serveProvider(fcm.provider, world)
  serving.fcmTls = serving.fcm
  serving.apns = serveProvider(
    createApns({ keys, tokens, now, renewalSeconds: options.apnsRenewalSeconds ?? 1200 }),
    world,
  )
  serving.webPush = serveProvider(createWebPush({ tokens, origin: webPushOrigin, record, now }), world)
  serving.sms = serveProvider(createSms({ keys, tokens, now }), world)
  return {
    fcmUrl: `http://localhost:${ports.fcm}`,
    fcmTlsUrl,
    oauthUrl,
    apnsUrl: `https://localhost:${ports.apns}`,
    webPushOrigin,
    smsUrl,
    ports,
    ca: keys.tls.certificate,
    credentials: issueCredentials(keys, oauthUrl, smsUrl),
    faults,
    record,
    tokens,
    expireAccessTokens: fcm.expireAccessTokens,
    onTaken: (listener) => record.onTaken(listener),
    close: async () => {
      await Promise.all(Object.values(servers).map((server) => server.close()))
    },
  }
}

async function openProviderServers(options: ProvidersOptions, host: string, serving: Partial<Record<DoorName, Serve>>) {
  let connectionNo = 0
  const opened: Partial<Record<DoorName, ProviderServer>> = {}
  try {
    for (const name of serverNames) {
      const { isSecure, ...kind } = serverKinds[name]
      opened[name] = await openProviderServer({
        ...kind,
        maxConcurrentStreams: options.streams?.[name] ?? kind.maxConcurrentStreams,
        ...(isSecure && { tls: options.keys.tls }),
        host,
        port: options.ports?.[name] ?? 0,
        nextConnectionNo: () => ++connectionNo,
        onExchange: (exchange) => serving[name]?.(exchange),
      })
    }
  } catch (error) {
    await Promise.all(Object.values(opened).map((server) => server.close()))
    throw error
  }
  return opened as Record<DoorName, ProviderServer>
}
