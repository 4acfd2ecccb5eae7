const forbiddenSchemes = new Set(['javascript', 'data', 'vbscript', 'file'])

/** The scheme of a link that would run or read something on the device. */
export function forbiddenScheme(link: string): string | undefined {
  const scheme = schemeOf(link)
  return scheme !== undefined && forbiddenSchemes.has(scheme) ? scheme : undefined
}

/** As a browser reads it: spaces and control characters before it and tabs and line breaks inside it do not count. */
function schemeOf(link: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a browser skips
  const read = link.replace(/^[\u0000-\u0020]+|[\t\n\r]/g, '')
  return /^([a-z][a-z0-9+.-]*):/i.exec(read)?.[1]?.toLowerCase()
}
