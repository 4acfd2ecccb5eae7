import manifest from '../package.json' with { type: 'json' }

/** The library's own version. */
export const version: string = manifest.version

const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /Edg(?:A|iOS)?\/([\d.]+)/],
  ['Opera', /OPR\/([\d.]+)/],
  ['Samsung Internet', /SamsungBrowser\/([\d.]+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/([\d.]+)/],
  ['Chrome', /(?:Chrome|CriOS)\/([\d.]+)/],
  ['Safari', /Version\/([\d.]+).*Safari\//],
]
const systems: [name: string, pattern: RegExp][] = [
  ['Android', /Android ([\d.]+)/],
  ['iOS', /(?:iPhone|CPU) OS ([\d_]+)/],
  ['Windows', /Windows NT ([\d.]+)/],
  ['macOS', /Mac OS X ([\d_.]+)/],
  ['ChromeOS', /CrOS \S+ ([\d.]+)/],
  ['Linux', /Linux()/],
]

/** What an installation says of its browser, from the user agent. */
export function describeBrowser(userAgent: string): Record<string, string> {
  const browser = find(browsers, userAgent)
  const system = find(systems, userAgent)
  return {
    ...(browser && { deviceModel: browser.name, browserVersion: browser.version }),
    ...(system && { deviceManufacturer: system.name }),
    ...(system?.version && { osVersion: system.version }),
  }
}

function find(table: typeof browsers, userAgent: string): { name: string; version: string } | undefined {
  for (const [name, pattern] of table) {
    const match = pattern.exec(userAgent)
    if (match) return { name, version: (match[1] as string).replaceAll('_', '.') }
  }
  return undefined
}
