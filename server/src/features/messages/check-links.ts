import { RequestError } from '../../base/errors.ts'
import type { MessageContent } from './compose-message.ts'
import { messageLinks } from './message-texts.ts'

const forbiddenSchemes = new Set(['javascript', 'data', 'vbscript', 'file'])

/** Refuses links that would run or read something on the device: http, https and app schemes are taken. */
export function checkLinks(content: MessageContent): void {
  for (const { field, text } of messageLinks(content)) {
    const scheme = schemeOf(text)
    if (scheme === undefined || !forbiddenSchemes.has(scheme)) continue
    throw new RequestError(
      'invalid-request',
      `"${field}": expected an http, https or app link, got a ${scheme}: link.`,
      {
        details: { field },
      },
    )
  }
}

/** As a browser reads it: spaces and control characters before it and tabs and line breaks inside it do not count. */
function schemeOf(link: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a browser skips
  const read = link.replace(/^[\u0000-\u0020]+|[\t\n\r]/g, '')
  return /^([a-z][a-z0-9+.-]*):/i.exec(read)?.[1]?.toLowerCase()
}
