const browsers: [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
]
const systems: [name: string, sign: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

/** What a browser calls itself, shortened to what people call it; as it came where that is unknown. */
export function nameBrowser(agent: string): { name: string; isPhone: boolean } {
  const find = (list: [string, RegExp][]) => list.find(([, sign]) => sign.test(agent))?.[0]
  const names = [find(browsers), find(systems)].filter((name) => name !== undefined)
  return {
    name: names.length > 0 ? names.join(' · ') : agent.slice(0, 80),
    isPhone: /\b(?:Android|iPhone|Mobile)\b/.test(agent),
  }
}
