import { RequestError } from '#base/errors.ts'
import type { MessageContent } from '../compose/compose-message.ts'
import { allLinks } from '../compose/message-texts.ts'
import { forbiddenScheme } from './forbidden-scheme.ts'

/** Refuses links that would run or read something on the device: http, https and app schemes are taken. */
export function checkLinks(content: MessageContent): void {
  for (const { field, text } of allLinks(content)) {
    const scheme = forbiddenScheme(text)
    if (scheme === undefined) continue
    throw new RequestError(
      'invalid-request',
      `"${field}": expected an http, https or app link, got a ${scheme}: link.`,
      {
        details: { field },
      },
    )
  }
}
