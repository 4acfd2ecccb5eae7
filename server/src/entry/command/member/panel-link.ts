import { loadConfig } from '#base/config.ts'
import { UsageError } from '../command.ts'
import { baseUrlAt, httpUrlAt } from '../start/listen.ts'

export const urlOption = {
  value: 'address',
  summary: 'where people reach the service, such as https://push.example.com (default: PEYK_PUBLIC_URL)',
}

/** What stands behind the # is not sent to the server with the page, so that no log on the way has it. */
export function panelLink(baseUrl: string, key: string): string {
  return `${baseUrl}/panel/enter#${key}`
}

/** Base URL of the panel: the given one, PEYK_PUBLIC_URL, or the port on this machine. */
export function readBaseUrl(given: string | undefined): string {
  const config = loadConfig()
  if (given === undefined) return config.publicUrl ?? httpUrlAt(baseUrlAt(config.host, config.port), config)
  const url = URL.parse(given)
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.origin
  throw new UsageError(`Expected --url as an address such as https://push.example.com, got "${given}".`)
}
