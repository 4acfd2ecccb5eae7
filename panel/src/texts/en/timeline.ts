import type { DeliveryReason, DetailCode, PathCode, PlainFact, TimelineFact, TroubleReason } from '@peyk/contract'

type Fact<Code extends TimelineFact['code']> = Extract<TimelineFact, { code: Code }>

/** How values are shown inside the sentences of a story. */
export interface FactWords {
  number(count: number): string
  moment(at: number): string
  provider(name: string | undefined): string
  /** What stands on a button of the message. */
  button(id: string): string
  /** That a provider was not reached, and why; undefined when it was. */
  notReached(provider: string, fault: TroubleReason | undefined): string | undefined
  /** A rule of a segment; undefined when it cannot be said. */
  rule(sent: unknown): string | undefined
  /** What a device has under the name of a rule. */
  own(name: string, json: string | null): { name: string; value: string | undefined }
  /** Why a way was chosen, as a part of a sentence; undefined when its code is not known here. */
  why(code: DetailCode | undefined, provider: string | undefined): string | undefined
}

interface Story {
  ways: Record<string, string>
  outcomes: Record<string, string>
  reports: Record<string, string>
  ends: Record<DeliveryReason, string>
  own: Record<Exclude<DetailCode, PathCode>, string>
  sms: Record<string, string>
  plain: Record<PlainFact, string>
  says: {
    [Code in Exclude<TimelineFact['code'], PlainFact>]: (fact: Fact<Code>, words: FactWords) => string
  }
}

const devices = (count: number, shown: string) => (count === 1 ? 'one device' : `${shown} devices`)

/** The story of a message on a device, by the codes of its sentences. What a provider said is quoted after them. */
export const timelineEn: Story = {
  ways: { inbox: 'The inbox', connection: 'The live connection', none: 'No delivery channel' },
  outcomes: {
    accepted: 'accepted it',
    gone: 'said that the token is invalid',
    later: 'asked to try again later',
    refused: 'refused it',
    paused: 'refused the credentials',
    unknown: 'did not answer',
  },
  reports: {
    delivered: 'The device confirmed it.',
    shown: 'The device showed it.',
    opened: 'It was opened.',
    acted: 'A button was pressed.',
    dismissed: 'It was dismissed.',
  },
  ends: {
    expired: 'It expired before it could be handed over or fetched.',
    gone: 'The app is no longer installed there.',
    refused: 'It could not be sent in this form.',
    'no-provider': 'This device has no delivery channel.',
    'not-in-channel': 'The device is not subscribed to the channel of the message.',
    'opted-out': 'Notifications are not allowed on the device.',
    'promo-exhausted': 'There was no promo code left for the user.',
    'promo-withheld': 'The app gives no promo codes to guests, or to devices that are this new.',
    control: 'The user is in the control group, which gets no messages with a category.',
    unsubscribed: 'The user does not want messages of this category.',
    capped: 'The user has had as many messages as a cap of the app allows.',
    cancelled: 'The message was cancelled before it was sent.',
    'no-phone': 'The user has no phone number.',
    unknown: 'It is not known whether it arrived: the provider did not answer two attempts.',
    skipped: 'It was left out.',
  },
  own: {
    'uninstalled-before': 'It was uninstalled before it was sent',
    'other-user': 'Another user is logged in there now',
    'too-large-for-client': 'It is larger than the client accepts',
    'client-gone': 'It was a live message, and the client was no longer connected',
    'ends-in-quiet-hours': 'It would have expired before the quiet hours ended',
    'own-control': 'The user is in the control group of this message',
    'ends-before-winner': 'It would have expired before the winner of its test was known',
  },
  sms: {
    waiting: 'An SMS is sent to the user when it is due, unless the message arrives first.',
    cancelled: 'The message arrived before the SMS was due.',
    sending: 'It was handed to the gateway, which has not answered yet. It is not sent again.',
    sent: 'The gateway accepted it.',
    refused: 'The gateway refused it.',
    unknown: 'It is not known whether it was sent: the gateway gave no clear answer. It is not sent again.',
    'no-phone': 'The user has no phone number.',
    'no-provider': 'The app has no SMS gateway.',
    expired: 'The message expired first.',
    'over-limit': 'The app’s daily SMS limit was reached.',
  },
  plain: {
    'names-user': 'The message names the user, who was logged in on this device.',
    everybody: 'The message goes to everybody.',
    'matched-then': 'It matched all rules when the devices were selected. It no longer does.',
    'matches-only-now': 'It matches now, but did not when the devices were selected.',
    'not-named': 'The message does not name the user.',
    'live-not-connected': 'A live message goes to devices that are connected when it is accepted; this one was not.',
    'logged-out': 'The user had logged out of it.',
    'not-own-then': 'It was not one of the user’s devices when the message was accepted.',
    'not-connected': 'Not the live connection: the device is not connected.',
    'looked-for': 'The devices of the message are still being selected.',
    'being-sent': 'It is being sent right now.',
    'in-work-list': 'It is in the queue.',
    'waits-for-turn': 'It waits for its turn: the message goes at a set pace.',
    'message-paused': 'The message was paused.',
    'sending-stopped': 'All sending was stopped.',
    'message-expired': 'The message has expired and will not be sent.',
    uninstalled: 'The app was uninstalled.',
  },
  says: {
    accepted: ({ product, count }, { number }) => `The ${product} was accepted, for ${devices(count, number(count))}.`,
    'all-rules': ({ count }, { number }) => `It matches all of the message’s rules (${number(count)}).`,
    'taken-up': ({ count }, { number }) => `It was attempted ${count === 1 ? 'once' : `${number(count)} times`}.`,
    'on-channel': ({ channel }) => `It is subscribed to the channel “${channel}”.`,
    'outside-channel': ({ channel, own }) =>
      `The message goes to the channel “${channel}”. The device is subscribed to ${own.map((name) => `“${name}”`).join(', ')}.`,
    'rule-fails': ({ rule, sent, values }, words) =>
      `It does not match a rule: ${words.rule(sent) ?? rule}. Here, ${Object.entries(values)
        .map(([name, json]) => words.own(name, json))
        .map(({ name, value }) => `${name.charAt(0).toLowerCase()}${name.slice(1)} is ${value ?? 'not set'}`)
        .join(', ')}.`,
    language: ({ language, own }) => `It is written in “${language}”: the device’s language is “${own}”.`,
    'plain-texts': ({ own }) =>
      own === undefined
        ? 'It has the default texts: the device has no language.'
        : `It has the default texts: there are none in the device’s language, “${own}”.`,
    'language-then': ({ language, own }) =>
      `It was sent ${language === 'default' ? 'with the default texts' : `in “${language}”`}. The device’s language is now ${own === undefined ? 'unknown' : `“${own}”`}.`,
    path: ({ way, why, provider }, words) => {
      const name = timelineEn.ways[way] ?? words.provider(way)
      const because = words.why(why, provider)
      return because === undefined ? `${name}.` : `${name}: ${because}.`
    },
    'path-now': ({ way, why, provider }, words) => {
      const because = words.why(why, provider)
      return `It would now be another: ${timelineEn.ways[way] ?? words.provider(way)}${because === undefined ? '' : ` (${because})`}.`
    },
    'path-chosen': ({ why, provider }, words) =>
      `When the delivery channel was chosen: ${words.why(why, provider) ?? 'as the service says'}.`,
    'not-providers': ({ providers }, words) =>
      `Not ${providers.map(words.provider).join(' and ')}: the token is not from there.`,
    attempt: ({ provider, outcome, fault }, words) =>
      words.notReached(provider, fault) ?? `${words.provider(provider)} ${timelineEn.outcomes[outcome] ?? outcome}.`,
    'waited-for-quiet-hours': ({ from, to, zone, until }, { moment }) =>
      `It waited for the end of the quiet hours (${from}–${to}, ${zone}), ${moment(until)}.`,
    'waited-for-cap': ({ count, window, until }, { moment, number }) =>
      `The user has had ${number(count)} messages in ${window}. It waited for the next one to be allowed, ${moment(until)}.`,
    'waited-for-winner': ({ until }, { moment }) =>
      `It waited for the winner of the test, which was not known before ${moment(until)}.`,
    variant: ({ variant }) => `Variant ${variant}.`,
    'variant-won': ({ variant }) => `Variant ${variant}, which won the test.`,
    'provider-accepted': ({ provider }, words) =>
      `${provider === undefined ? 'The provider' : words.provider(provider)} accepted it.`,
    receipt: ({ receipt, actionId }, { button }) =>
      actionId === undefined
        ? (timelineEn.reports[receipt] ?? receipt)
        : `The button “${button(actionId)}” was pressed.`,
    ended: ({ reason, because, provider }, words) => {
      const why = words.why(because, provider)
      if (because === 'own-control') return `${why}.`
      // The reason says as much.
      return why === undefined || because === 'notifications-off'
        ? timelineEn.ends[reason]
        : `${timelineEn.ends[reason]} ${why}.`
    },
    'provider-paused': ({ provider }, words) => `${words.provider(provider)} is paused for the app.`,
    installations: ({ count, sent, waiting, ended, none }, { number }) =>
      `Of ${devices(count, number(count))}: ${[
        ...(sent > 0 ? [`sent to ${number(sent)}`] : []),
        ...(waiting > 0 ? [`waiting for ${number(waiting)}`] : []),
        ...(ended > 0 ? [`not delivered to ${number(ended)}`] : []),
        ...(none > 0 ? [`not intended for ${number(none)}`] : []),
      ].join(', ')}.`,
    'no-installations': () => 'This user has no devices.',
    'unknown-user': ({ user }) => `No user has the id “${user}”. Check the spelling.`,
    'registered-later': ({ at }, { moment }) => `It was registered ${moment(at)}, after the message was accepted.`,
    'uninstalled-before': ({ at }, { moment }) => `It was uninstalled ${moment(at)}.`,
    'logged-in-later': ({ at }, { moment }) =>
      `The user logged in on it ${moment(at)}, after the message was accepted.`,
    'in-inbox': ({ at }, { moment }) => `It waits in the inbox until it is fetched, or expires ${moment(at)}.`,
    'tried-again': ({ at }, { moment }) => `It will be tried again ${moment(at)}.`,
    'local-time': ({ at }, { moment }) => `It waits for the user’s local time, ${moment(at)}.`,
    expires: ({ at }, { moment }) => `It expires ${moment(at)}.`,
  },
}
