import { RequestError } from '#base/errors.ts'

/** Written as browsers send them: "https://shop.example", no path, no default port. */
export function checkOrigins(given: readonly string[]): string[] {
  return [...new Set(given.map(readOrigin))]
}

function readOrigin(text: string): string {
  const url = URL.parse(text)
  const isBare = url && url.host !== '' && /^\/?$/.test(url.pathname) && !url.search && !url.hash && !url.username
  if (!isBare)
    throw new RequestError('invalid-request', `Expected an origin such as https://shop.example, got "${text}".`)
  // Web views have schemes of their own (capacitor://localhost), for which URL knows no origin.
  return url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin
}
