import type { Chance } from './chance.ts'
import type { FuzzedApp, World } from './world.ts'

export interface FuzzedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: Buffer | undefined
}

export type MakeRequest = (chance: Chance, world: World, number: number) => FuzzedRequest

export const json = (body: unknown): Buffer => Buffer.from(JSON.stringify(body) ?? '')

export function askApi(app: FuzzedApp, method: string, path: string, body?: unknown): FuzzedRequest {
  return {
    method,
    path,
    headers: { 'x-access-token': app.token, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: json(body) }),
  }
}

/** As the panel's page does. */
export function askPanel(world: World, app: FuzzedApp, method: string, path: string, body?: unknown): FuzzedRequest {
  return {
    method,
    path: `/panel/api/apps/${app.label}${path}`,
    headers: panelHeaders(world, app, body !== undefined),
    ...(body !== undefined && { body: json(body) }),
  }
}

export function panelHeaders(world: World, app: FuzzedApp, hasBody: boolean): Record<string, string> {
  return {
    cookie: `peyk=${app.sessionKey}`,
    origin: world.baseUrl,
    ...(hasBody && { 'content-type': 'application/json' }),
  }
}

/** For a person, and for `curl`: what a failure shows. */
export function describeRequest({ method, path, headers, body }: FuzzedRequest): string {
  const shown = body === undefined ? '' : ` ${isText(body) ? body.toString() : `base64:${body.toString('base64')}`}`
  return `${method} ${path} ${JSON.stringify(headers)}${shown.length > 4_000 ? `${shown.slice(0, 4_000)}… (${body?.length} bytes)` : shown}`
}

function isText(body: Buffer): boolean {
  return Buffer.from(body.toString()).equals(body)
}
