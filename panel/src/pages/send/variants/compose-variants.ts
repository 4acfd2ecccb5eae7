import type { ComposedMessage, Variant, Winner } from '@peyk/contract'
import { controlName } from '#parts/variants/control-name.ts'

import type { Draft } from '../draft/draft.ts'
import { composeContents, composeTexts } from '../draft/draft-languages.ts'
import type { DraftTexts } from '../draft/draft-texts.ts'
import type { LocalFault, LocalFaults } from '../draft/local-fault.ts'
import { readSpan } from '../draft/read-span.ts'
import { type Span, secondsOf, type Unit } from '../draft/span.ts'
import { ownTexts } from './draft-variants.ts'

const reserved: readonly string[] = [controlName, 'default']
const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,19}$/

/** Texts that a message may have or not: the message itself keeps them where all variants have the same. */
const maybe = ['alertText', 'clickUrl', 'mediaUrl', 'body'] as const

/** Makes `message`, which says what the first variant does, one with all of them. */
export function composeTest(draft: Draft, message: ComposedMessage, appName: string, faults: LocalFaults): void {
  const { isOn, control = 0, goal } = draft.test
  if (isOn) {
    composeVariants(draft, message, appName, faults)
    if (draft.test.winner.isOn) message.winner = composeWinner(draft, faults)
  }
  if (control > 0) message.control = control
  if (goal.event.trim() === '' || (!isOn && control === 0)) return
  const within = writeSpan(goal.within, 'goal.within', faults)
  message.goal = { event: goal.event.trim(), ...(within !== undefined && { within }) }
}

function composeVariants(draft: Draft, message: ComposedMessage, appName: string, faults: LocalFaults): void {
  const { variants } = draft.test
  const isMessage = draft.product === 'message'
  const own = ownTexts(draft)
  const all = variants.map(({ texts }, place) => (place === 0 ? { ...own, rest: texts.rest } : texts))
  const base = { ...own, title: message.notification?.title ?? appName }
  for (const name of maybe) {
    if (name === 'body' && !isMessage) continue
    if (all.every((texts) => texts[name].trim() === own[name].trim())) continue
    base[name] = ''
    if (name === 'alertText') delete message.alertText
    else delete message.notification?.[name]
  }
  const languages = variants.map((variant, place) => (place === 0 ? draft.languages : variant.languages))
  message.variants = variants.map(({ name, share }, place): Variant => {
    const texts = all[place] ?? own
    Object.assign(faults, faultsOf(name, place, variants), place > 0 ? missing(texts, place, isMessage, draft) : {})
    const title = texts.title.trim() === '' ? appName : texts.title
    const differing = differingFrom(base, { ...texts, title })
    const contents = composeContents(pick(languages[place] ?? {}, Object.keys(draft.languages)), message)
    return { name: name.trim(), share, ...composeTexts(differing, message), ...(contents && { contents }) }
  })
  delete message.contents
  const isDrawn = message.variants.some(
    ({ notification, contents = {} }) => notification ?? Object.values(contents).some((texts) => texts.notification),
  )
  if (isDrawn) message.notification ??= { title: appName }
}

function pick<Value>(from: Record<string, Value>, keys: readonly string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)))
}

/** Nothing where it says the same as the message itself. */
function differingFrom(base: DraftTexts, texts: DraftTexts): DraftTexts {
  const differs = (one: string, other: string) => (one.trim() === other.trim() ? '' : one)
  return {
    content: differs(texts.content, base.content),
    alertText: differs(texts.alertText, base.alertText),
    title: differs(texts.title, base.title),
    body: differs(texts.body, base.body),
    clickUrl: differs(texts.clickUrl, base.clickUrl),
    mediaUrl: differs(texts.mediaUrl, base.mediaUrl),
    actions: base.actions.map((title, place) => differs(texts.actions[place] ?? '', title)),
    sms: differs(texts.sms, base.sms),
    rest: texts.rest,
  }
}

/** A text that no message can be without. */
function missing(texts: DraftTexts, place: number, isMessage: boolean, { flags }: Draft): LocalFaults {
  if (isMessage) return texts.content.trim() === '' ? { [`variants[${place}].content`]: 'noText' } : {}
  const isSilent = flags.silent || texts.alertText !== ''
  return texts.body.trim() === '' && !isSilent ? { [`variants[${place}].notification.body`]: 'noText' } : {}
}

function faultsOf(typed: string, place: number, variants: Draft['test']['variants']): LocalFaults {
  const name = typed.trim()
  const others = variants.filter((_, at) => at < place).map((variant) => variant.name.trim())
  const fault: LocalFault | undefined =
    name === ''
      ? 'noVariantName'
      : !namePattern.test(name)
        ? 'wrongVariantName'
        : reserved.includes(name) || others.includes(name)
          ? 'takenVariantName'
          : undefined
  return fault ? { [`variants[${place}].name`]: fault } : {}
}

function composeWinner({ test, when, flags }: Draft, faults: LocalFaults): Winner {
  const { by, event, after, testShare, otherwise } = test.winner
  if (when.isLater && when.isLocal) faults.winner = 'winnerLocal'
  else if (flags.live) faults.winner = 'winnerLive'
  if (by === 'event' && event.trim() === '') faults['winner.by'] = 'noEvent'
  if (testShare === undefined) faults['winner.testShare'] = 'noTestShare'
  const span = writeSpan(after, 'winner.after', faults)
  if (span === undefined) faults['winner.after'] ??= 'noSpan'
  const name = test.variants[otherwise]?.name.trim()
  return {
    by: by === 'event' ? `event:${event.trim()}` : by,
    after: span ?? '',
    testShare: testShare ?? 0,
    ...(name !== undefined && { otherwise: name }),
  }
}

const written: readonly Unit[] = ['days', 'hours', 'minutes', 'seconds']

/** As the request has it, such as "90m"; undefined where nothing is typed. */
function writeSpan(span: Span, field: string, faults: LocalFaults): string | undefined {
  const seconds = readSpan(span)
  if (seconds === 'notNumber') faults[field] = 'notNumber'
  if (typeof seconds !== 'number') return undefined
  const whole = Math.round(seconds)
  if (whole < 1) {
    faults[field] = 'noSpan'
    return undefined
  }
  const unit = written.find((each) => whole % secondsOf[each] === 0) ?? 'seconds'
  return `${whole / secondsOf[unit]}${unit.charAt(0)}`
}
