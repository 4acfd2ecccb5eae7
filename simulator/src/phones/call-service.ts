import type { Platform } from './platform.ts'

/** A device that the service knows already, with the token that the simulator gave out for it. */
export interface KnownDevice {
  installationId: string
  userId: string
  isGuest: boolean
  platform: Platform
  deviceToken: string
  /** The application server key that a browser subscribed with. */
  vapidKey: string | null
  timeZone: string
  launchCount: number
}

/** Where phones register, and the key that stands in the app that they run. */
export interface Service {
  baseUrl: string
  clientKey: string
  /** Where its own connection is, over TCP. */
  mqttUrl?: string
  /** Its app may have a crowd, of this size if one is named, which uses these devices, too. */
  crowd?: { size?: number; devices?: KnownDevice[] }
}

export type ServiceAnswer =
  | { kind: 'done'; body: Record<string, unknown> }
  | { kind: 'not-found' }
  /** It will not be taken in this form, however often it is sent. */
  | { kind: 'refused'; detail: string }
  /** The service is away, busy or does not know the key: worth another try. */
  | { kind: 'later'; detail: string }

const patienceMs = 10_000

function describeFault({ message, cause }: Error): string {
  return `it does not answer (${(cause as { code?: string } | undefined)?.code ?? message})`
}

export async function callService(
  { baseUrl, clientKey }: Service,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body: object | undefined,
  signal: AbortSignal,
): Promise<ServiceAnswer> {
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        'x-access-token': clientKey,
        'user-agent': 'peyk-simulator',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    })
    const text = await response.text()
    if (response.ok) return { kind: 'done', body: JSON.parse(text) as Record<string, unknown> }
    if (response.status === 404) return { kind: 'not-found' }
    if ([400, 413, 415, 422].includes(response.status)) return { kind: 'refused', detail: text.slice(0, 500) }
    return { kind: 'later', detail: `it answers ${response.status}` }
  } catch (error) {
    return { kind: 'later', detail: describeFault(error as Error) }
  }
}
