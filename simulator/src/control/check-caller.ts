import type { IncomingMessage } from 'node:http'
import { ControlError } from './control-error.ts'

const localNames = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Only who is on this machine may call. A page of any site can make a browser send requests here: its name in `Host`
 * (DNS rebinding) or its `Origin` gives it away.
 */
export function checkCaller({ headers }: Pick<IncomingMessage, 'headers'>, ownHost: string): void {
  const name = hostName(`http://${headers.host ?? ''}`)
  if (name === undefined || !(localNames.has(name) || name === ownHost)) {
    throw new ControlError(403, `Expected localhost, 127.0.0.1 or [::1] in Host, got "${headers.host ?? ''}".`)
  }
  if (headers.origin !== undefined && !isLocalOrigin(headers.origin)) {
    throw new ControlError(403, `Pages of ${headers.origin} may not call the simulator; expected one of localhost.`)
  }
}

export function isLocalOrigin(origin: string): boolean {
  const name = hostName(origin)
  return name !== undefined && localNames.has(name)
}

function hostName(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}
