export type ImageAddress = 'none' | 'https' | 'http' | 'own-http' | 'this-machine'

const ownPath = /^\/images\/[0-9a-f]{64}\.(?:jpg|png|webp|gif)$/

/**
 * Who can load an image from an address, as far as the address says. Phones load over https only; in development what is
 * uploaded is on this machine. Names of images inside the app, and templates, are no addresses.
 */
export function readImageAddress(text: string, isDevelopment: boolean): ImageAddress {
  const url = /^https?:\/\/[^\s{}]+$/i.test(text) ? URL.parse(text) : null
  if (url === null) return 'none'
  if (url.protocol === 'https:') return 'https'
  if (!ownPath.test(url.pathname)) return 'http'
  return isDevelopment && isThisMachine(url.hostname) ? 'this-machine' : 'own-http'
}

function isThisMachine(host: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(host)
}
