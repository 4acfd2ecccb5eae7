import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentFor } from '../compose/choose-texts.ts'
import type { MessageContent } from '../compose/compose-message.ts'
import { compilePush } from '../payloads/compile-push.ts'
import { allPushTargets } from '../payloads/compiled-push.ts'
import { acceptedAt, look, pushMessage } from '../payloads/payloads.test-support.ts'
import { boundPushSize } from './push-size-bound.ts'

const text = fc.string({ unit: fc.constantFrom('"', '\\', '\n', 'a', 'ه', '😀', '\u0001'), maxLength: 300 })
const optional = { requiredKeys: [] }
const action = fc.record(
  { id: text, title: text, options: fc.nat(7), icon: text, url: text, action: text },
  optional as { requiredKeys: [] },
)
const color = fc.constantFrom('#fff', '#a1b2c3', 'red')
const notification = fc.record(
  {
    title: text,
    body: text,
    groupId: text,
    icon: text,
    sound: text,
    clickUrl: text,
    ledColor: color,
    smallIcon: fc.constantFrom('ic_order', 'https://x'),
    largeIcon: text,
    chromeBadge: text,
    color,
    dir: fc.constant('rtl'),
    vibrate: fc.array(fc.nat(9_999), { maxLength: 100 }),
    mediaType: text,
    mediaUrl: text,
    category: text,
    contentAvailable: fc.constant(true as const),
    requireInteraction: fc.constant(true as const),
    renotify: fc.constant(true as const),
    actions: fc.array(action, { minLength: 1, maxLength: 5 }),
  },
  { requiredKeys: ['title'] },
)
const content = fc.record(
  {
    content: text,
    alertText: text,
    data: fc.dictionary(text, fc.jsonValue(), { maxKeys: 5 }),
    autoNotify: fc.constant(true as const),
    silent: fc.constant(true as const),
    notification,
  },
  optional as { requiredKeys: [] },
)
const languageTexts = fc.record(
  {
    content: text,
    alertText: text,
    data: fc.dictionary(text, fc.jsonValue(), { maxKeys: 5 }),
    notification: fc.record(
      { title: text, body: text, mediaUrl: text, clickUrl: text },
      optional as { requiredKeys: [] },
    ),
  },
  optional as { requiredKeys: [] },
)
const trackId = fc.option(text, { nil: undefined })

describe('the bound of a push’s size', () => {
  it('is never below the size itself, on any way', () => {
    const name = '"'.repeat(255)
    fc.assert(
      fc.property(content, trackId, (body, track) => {
        const message = pushMessage(body as MessageContent, { trackId: track })
        const compiled = compilePush(message, { ...look, name })
        if (compiled.isPersonal) return
        const bound = boundPushSize({ body: message.content, trackId: track })
        for (const target of allPushTargets) {
          const { bytes = 0 } = compiled.render(target, acceptedAt)
          expect(bytes).toBeLessThanOrEqual(bound)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('is never below the size in any language', () => {
    const name = '"'.repeat(255)
    fc.assert(
      fc.property(content, languageTexts, trackId, (plain, fa, track) => {
        const body = { ...plain, contents: { fa } } as MessageContent
        const own = contentFor(body, { language: 'fa' })
        const compiled = compilePush(pushMessage(own, { trackId: track }), { ...look, name })
        if (compiled.isPersonal) return
        const bound = boundPushSize({ body, trackId: track })
        for (const target of allPushTargets) {
          const { bytes = 0 } = compiled.render(target, acceptedAt)
          expect(bytes).toBeLessThanOrEqual(bound)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
