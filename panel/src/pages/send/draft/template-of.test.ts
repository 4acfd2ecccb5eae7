import { describe, expect, it } from 'vitest'
import { templateOf } from './template-of.ts'

describe('a template made from a message', () => {
  it('keeps what the message says and how, and nothing about when and to whom it is sent', () => {
    const kept = { content: 'Hello', notification: { title: 'Hi' }, contents: { fa: { content: 'سلام' } }, ttl: 60 }
    const rules = { category: 'news', whenCapped: 'wait' as const, silent: true }
    const sending = {
      ...{ product: 'message' as const, trackId: 'spring', clientId: 'own', values: { code: '1' }, target: {} },
      ...{ sendAt: 1_794_819_600_000, repeat: { rule: 'FREQ=DAILY' }, throttle: { perMinute: 10 }, channel: 'news' },
      ...{ variants: [{ name: 'A' }, { name: 'B' }], control: 10, goal: { event: 'Purchase' } },
    }
    expect(templateOf({ ...kept, ...rules, ...sending })).toEqual({ ...kept, ...rules })
  })
})
