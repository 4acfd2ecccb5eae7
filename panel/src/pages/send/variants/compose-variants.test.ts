import { type ComposedMessage, type LanguageTexts, panelPlanSend } from '@peyk/contract'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { composeMessage } from '../draft/compose.ts'
import { type Draft, emptyAction, emptyDraft } from '../draft/draft.ts'
import { draftFromMessage, type SentMessage } from '../draft/draft-from-message.ts'
import { type DraftTexts, emptyTexts } from '../draft/draft-texts.ts'
import { completeDraft } from '../draft/open-draft.ts'
import { noTest } from './draft-test.ts'
import { addCopy, changeProduct, changeVariant, removeVariant, variantDraft } from './draft-variants.ts'

const plain: Draft = {
  ...emptyDraft,
  content: 'Hello',
  notification: {
    ...emptyDraft.notification,
    title: 'Sale',
    clickUrl: 'shop://sale',
    mediaUrl: 'https://x.test/a.png',
  },
}

/** With two variants, the second one changed. */
function tested(draft: Draft, second: Partial<DraftTexts>, more: Partial<Draft['test']> = {}): Draft {
  const begun = { ...draft, ...addCopy(draft, 0) }
  const changed = { ...begun, ...changeVariant(begun, 1, { texts: second }) }
  return { ...changed, test: { ...changed.test, ...more } }
}

const compose = (draft: Draft) => composeMessage(draft, 'Shop')

describe('a draft with variants', () => {
  it('is sent with the texts that differ, and with shares', () => {
    const { message, faults } = compose(tested(plain, { content: 'Hi', title: 'Big sale' }))
    expect(faults).toEqual({})
    expect(message).toMatchObject({
      content: 'Hello',
      notification: { title: 'Sale', clickUrl: 'shop://sale', mediaUrl: 'https://x.test/a.png' },
      variants: [
        { name: 'A', share: 50 },
        { name: 'B', share: 50, content: 'Hi', notification: { title: 'Big sale' } },
      ],
    })
    expect(message.variants?.[1]?.notification).toEqual({ title: 'Big sale' })
    expect(Value.Check(panelPlanSend.body as TSchema, { ...message, users: ['u'] })).toBe(true)
  })

  it('compares an image with none: what one lacks is the other’s own', () => {
    const { message } = compose(tested(plain, { mediaUrl: '' }))
    expect(message.notification).toEqual({ title: 'Sale', clickUrl: 'shop://sale' })
    expect(message.variants).toEqual([
      { name: 'A', share: 50, notification: { mediaUrl: 'https://x.test/a.png' } },
      { name: 'B', share: 50 },
    ])
  })

  it('calls a notification without a title as the app', () => {
    const { message } = compose(tested(plain, { title: '' }))
    expect(message.variants?.[1]).toEqual({ name: 'B', share: 50, notification: { title: 'Shop' } })
  })

  it('brings a notification along that only one of them has', () => {
    const bare = { ...plain, notification: emptyDraft.notification }
    expect(compose(tested(bare, { title: 'Sale' })).message).toMatchObject({
      notification: { title: 'Shop' },
      variants: [{ name: 'A' }, { name: 'B', notification: { title: 'Sale' } }],
    })
  })

  it('has languages in each variant, and none beside them', () => {
    const inPersian = { ...plain, languages: { fa: { ...emptyTexts, content: 'سلام' } } }
    const draft = tested(inPersian, { content: 'Hi' })
    const { message } = compose({
      ...draft,
      ...changeVariant(draft, 1, { languages: { fa: { ...emptyTexts, content: 'درود' } } }),
    })
    expect(message).not.toHaveProperty('contents')
    expect(message.variants).toEqual([
      { name: 'A', share: 50, contents: { fa: { content: 'سلام' } } },
      { name: 'B', share: 50, content: 'Hi', contents: { fa: { content: 'درود' } } },
    ])
  })

  it('says what is missing beside its field', () => {
    const names = (first: string, second: string) => {
      const draft = tested(plain, {})
      const variants = draft.test.variants.map((variant, place) => ({ ...variant, name: place === 0 ? first : second }))
      return compose({ ...draft, test: { ...draft.test, variants } }).faults
    }
    expect(names('', 'B')).toEqual({ 'variants[0].name': 'noVariantName' })
    expect(names('A', 'دو')).toEqual({ 'variants[1].name': 'wrongVariantName' })
    expect(names('A', ' A ')).toEqual({ 'variants[1].name': 'takenVariantName' })
    expect(names('A', 'control')).toEqual({ 'variants[1].name': 'takenVariantName' })
    expect(compose(tested(plain, { content: ' ' })).faults).toEqual({ 'variants[1].content': 'noText' })
    const notification = tested({ ...plain, ...changeProduct(plain, 'notification') }, { body: '' })
    expect(compose(notification).faults).toEqual({ 'variants[1].notification.body': 'noText' })
  })

  it('chooses a winner as it is set', () => {
    const winner = { ...noTest.winner, isOn: true, otherwise: 1 }
    expect(compose(tested(plain, {}, { winner })).message.winner).toEqual({
      by: 'opened',
      after: '4h',
      testShare: 20,
      otherwise: 'B',
    })
    const byEvent = {
      ...winner,
      by: 'event' as const,
      event: ' Purchase ',
      after: { amount: '۱.۵', unit: 'hours' as const },
    }
    expect(compose(tested(plain, {}, { winner: byEvent })).message.winner).toMatchObject({
      by: 'event:Purchase',
      after: '90m',
    })
    const wrong = {
      ...winner,
      by: 'event' as const,
      after: { amount: '', unit: 'hours' as const },
      testShare: undefined,
    }
    expect(compose(tested(plain, {}, { winner: wrong })).faults).toEqual({
      'winner.by': 'noEvent',
      'winner.after': 'noSpan',
      'winner.testShare': 'noTestShare',
    })
    const when = { isLater: true, isLocal: true, at: '2100-01-01T09:00:00Z' }
    expect(compose(tested({ ...plain, when }, {}, { winner })).faults).toEqual({ winner: 'winnerLocal' })
    expect(compose(tested({ ...plain, flags: { ...plain.flags, live: true } }, {}, { winner })).faults).toEqual({
      winner: 'winnerLive',
    })
  })

  it('has a control group and a goal with and without variants', () => {
    const goal = { event: 'Purchase', within: { amount: '2', unit: 'days' as const } }
    expect(compose({ ...plain, test: { ...noTest, control: 10, goal } }).message).toMatchObject({
      control: 10,
      goal: { event: 'Purchase', within: '2d' },
    })
    const { message } = compose({ ...plain, test: { ...noTest, goal } })
    expect(message).not.toHaveProperty('goal')
    expect(message).not.toHaveProperty('control')
  })

  it('is a plain message again when the test is switched off', () => {
    const off = tested(plain, { content: 'Hi' }, { isOn: false })
    expect(compose(off)).toEqual(compose(plain))
  })

  it('is read as each of its variants', () => {
    const action = { ...emptyAction, title: 'Open' }
    const draft = tested(
      { ...plain, notification: { ...plain.notification, actions: [action] } },
      { content: 'Hi', actions: [''] },
    )
    expect(variantDraft(draft, 0)).toMatchObject({ content: 'Hello', test: noTest })
    expect(variantDraft(draft, 1)).toMatchObject({ content: 'Hi', notification: { actions: [{ title: 'Open' }] } })
  })

  it('loses a variant, also the first one', () => {
    const three = { ...tested(plain, { content: 'Hi' }, { winner: { ...noTest.winner, otherwise: 2 } }) }
    const draft = { ...three, ...addCopy(three, 1) }
    expect(draft.test.variants.map(({ name, share }) => [name, share])).toEqual([
      ['A', 34],
      ['B', 33],
      ['C', 33],
    ])
    const without = { ...draft, ...removeVariant(draft, 0) }
    expect(without.content).toBe('Hi')
    expect(without.test.variants.map(({ name }) => name)).toEqual(['B', 'C'])
    expect(without.test.winner.otherwise).toBe(1)
    expect({ ...draft, ...removeVariant(draft, 2) }.test.winner.otherwise).toBe(0)
  })

  it('moves the text of every variant when it becomes a notification', () => {
    const draft = tested(plain, { content: 'Hi' })
    const turned = { ...draft, ...changeProduct(draft, 'notification') }
    expect(compose(turned).message).toMatchObject({
      notification: { body: 'Hello' },
      variants: [{ name: 'A' }, { name: 'B', notification: { body: 'Hi' } }],
    })
  })

  it('is kept, and complete again where an earlier panel kept less', () => {
    const draft = tested(plain, { content: 'Hi' }, { control: 10 })
    expect(completeDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft)
    const { test: _test, ...earlier } = plain
    expect(completeDraft(earlier)).toEqual(plain)
  })
})

const word = fc.constantFrom('', '', 'one', 'two', 'three')
const arbitraryTexts = fc.record({
  content: word,
  title: word,
  body: word,
  clickUrl: word,
  mediaUrl: word,
  alertText: word,
})
const arbitraryDraft = fc
  .record({
    first: arbitraryTexts,
    others: fc.array(arbitraryTexts, { minLength: 1, maxLength: 3 }),
    inPersian: fc.array(arbitraryTexts, { minLength: 4, maxLength: 4 }),
  })
  .map(({ first, others, inPersian }): Draft => {
    const { content, alertText, ...shown } = first
    let draft: Draft = {
      ...emptyDraft,
      content: content || 'first',
      alertText,
      notification: { ...emptyDraft.notification, ...shown },
      languages: { fa: { ...emptyTexts, ...inPersian[0] } },
    }
    for (const [place, texts] of others.entries()) {
      draft = { ...draft, ...addCopy(draft, 0) }
      const languages = { fa: { ...emptyTexts, ...inPersian[place + 1] } }
      const own = { ...texts, content: texts.content || 'other' }
      draft = { ...draft, ...changeVariant(draft, place + 1, { texts: own, languages }) }
    }
    return draft
  })

/** As the service does: the variant's language, the variant, the message's language, the message. */
function read(message: ComposedMessage, place: number, language: string) {
  const variant = message.variants?.[place]
  const layers = [variant?.contents?.[language], variant, message.contents?.[language], message] as (
    | LanguageTexts
    | undefined
  )[]
  const find = (ask: (layer: LanguageTexts) => string | undefined) =>
    layers.map((layer) => layer && ask(layer)).find((text) => text !== undefined) ?? ''
  return {
    content: find(({ content }) => content),
    alertText: find(({ alertText }) => alertText),
    title: find(({ notification }) => notification?.title) || 'Shop',
    body: find(({ notification }) => notification?.body),
    clickUrl: find(({ notification }) => notification?.clickUrl),
    mediaUrl: find(({ notification }) => notification?.mediaUrl),
  }
}

describe('what is written', () => {
  it('is what each one reads, in each variant and language', () => {
    fc.assert(
      fc.property(arbitraryDraft, (draft) => {
        const { message } = compose(draft)
        for (const place of draft.test.variants.keys()) {
          const one = compose(variantDraft(draft, place)).message
          for (const language of ['fa', 'de']) expect(read(message, place, language)).toEqual(read(one, -1, language))
        }
      }),
    )
  })

  it('comes back from the message that was sent', () => {
    fc.assert(
      fc.property(arbitraryDraft, (draft) => {
        const { message } = compose(draft)
        const sent = {
          ...message,
          product: 'message',
          audience: 'users',
          channel: 'default',
          createdAt: 0,
          expireAt: 1,
        }
        const again = compose({ ...draftFromMessage(sent as unknown as SentMessage), ttl: emptyDraft.ttl }).message
        for (const place of draft.test.variants.keys()) {
          for (const language of ['fa', 'de'])
            expect(read(again, place, language)).toEqual(read(message, place, language))
        }
      }),
    )
  })

  it('comes back from a message of the API with all that its variants say', () => {
    const message: ComposedMessage = {
      product: 'message',
      content: 'Hello',
      notification: { title: 'Sale', actions: [{ id: 'open', title: 'Open' }] },
      contents: { fa: { content: 'سلام', notification: { title: 'حراج' } } },
      variants: [
        { name: 'calm', share: 30, data: { tone: 1 } },
        { name: 'loud', share: 70, content: 'HELLO', contents: { de: { content: 'HALLO' } } },
      ],
      control: 5,
      winner: { by: 'event:Purchase', after: '90m', testShare: 30, otherwise: 'loud' },
      goal: { event: 'Purchase', within: '2d' },
    }
    const sent = {
      ...message,
      audience: 'users',
      channel: 'default',
      createdAt: 0,
      expireAt: 1,
    } as unknown as SentMessage
    const draft = draftFromMessage(sent)
    const again = compose(draft).message
    expect(again).toMatchObject({
      variants: [
        { name: 'calm', share: 30, data: { tone: 1 } },
        { name: 'loud', share: 70 },
      ],
      control: 5,
      winner: message.winner,
      goal: message.goal,
    })
    for (const [place, language] of [0, 1].flatMap((each) => ['fa', 'de', 'en'].map((tag) => [each, tag] as const)))
      expect(read(again, place, language)).toEqual(read(message, place, language))
  })
})
