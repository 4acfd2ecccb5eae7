import type { DeliveryReason, PlainFact, TimelineFact, TroubleReason } from '@peyk/contract'

/** A sentence of the story for people who read the API's answers. The panel says the same in its own languages. */
export function renderFact(fact: TimelineFact): string {
  switch (fact.code) {
    case 'accepted':
      return `The ${fact.product} was accepted, for ${installations(fact.count)}.`
    case 'all-rules':
      return `It matches all of the message’s rules (${fact.count}).`
    case 'taken-up':
      return `It was attempted ${fact.count === 1 ? 'once' : `${fact.count} times`}.`
    case 'on-channel':
      return `It is subscribed to the channel "${fact.channel}".`
    case 'outside-channel':
      return `The message goes to the channel "${fact.channel}". The installation is subscribed to ${fact.own.map((name) => `"${name}"`).join(', ')}.`
    case 'rule-fails':
      return `The rule ${fact.rule} does not hold: here ${Object.entries(fact.values)
        .map(([name, value]) => `${name} is ${value ?? 'not set'}`)
        .join(', ')}.`
    case 'language':
      return `It is written in "${fact.language}": the installation’s language is "${fact.own}".`
    case 'plain-texts':
      return fact.own === undefined
        ? 'It has the message’s plain texts: the installation has no language.'
        : `It has the message’s plain texts: there are none in the installation’s language, "${fact.own}".`
    case 'language-then':
      return `It was handed over ${fact.language === 'default' ? 'with the message’s plain texts' : `in "${fact.language}"`}. The installation’s language is ${fact.own === undefined ? 'not known' : `"${fact.own}"`} now.`
    case 'path':
      return `${ways[fact.way] ?? fact.way}${fact.detail ? `: ${fact.detail}` : ''}.`
    case 'path-now':
      return `It would now be another: ${fact.detail}.`
    case 'path-chosen':
      return `When the delivery channel was chosen: ${fact.detail}.`
    case 'not-providers':
      return `Not ${fact.providers.join(' and ')}: the token is not from there.`
    case 'attempt':
      if (fact.fault) return `${fact.provider} could not be reached: ${faults[fact.fault] ?? fact.detail}.`
      return `${fact.provider} ${outcomes[fact.outcome] ?? fact.outcome}${said(fact.detail)}`
    case 'waited-for-quiet-hours':
      return `It waited until ${moment(fact.until)} (quiet hours ${fact.from}–${fact.to}, ${fact.zone}).`
    case 'waited-for-cap':
      return `It waited until ${moment(fact.until)}: the user has had ${fact.count} in ${fact.window} (${fact.by.join(', ')}).`
    case 'waited-for-winner':
      return `It waited for the winner of the test, which was not known before ${moment(fact.until)}.`
    case 'variant':
      return `Variant ${fact.variant}.`
    case 'variant-won':
      return `Variant ${fact.variant}, which won the test.`
    case 'provider-accepted':
      return `${fact.provider ?? 'The provider'} accepted it${said(fact.detail)}`
    case 'receipt':
      return fact.actionId ? `An action was taken: "${fact.actionId}".` : (reports[fact.receipt] ?? fact.receipt)
    case 'ended':
      // The one of the app and the one of the message are two.
      if (fact.because === 'own-control') return sentence(fact.detail ?? '')
      return joinOnce(ends[fact.reason], fact.detail)
    case 'provider-paused':
      return `${fact.provider} is paused for the app: ${fact.detail}`
    case 'installations':
      return sumUp(fact)
    case 'registered-later':
      return `It was registered at ${moment(fact.at)}, after the message was accepted.`
    case 'uninstalled-before':
      return `It was uninstalled at ${moment(fact.at)}.`
    case 'logged-in-later':
      return `The user logged in on it at ${moment(fact.at)}, after the message was accepted.`
    case 'in-inbox':
      return `It waits in the inbox until it is fetched, or expires at ${moment(fact.at)}.`
    case 'tried-again':
      return `It will be tried again at ${moment(fact.at)}.`
    case 'local-time':
      return `It waits for the local time of its user, at ${moment(fact.at)}.`
    case 'expires':
      return `It expires at ${moment(fact.at)}.`
    case 'no-installations':
      return `The user "${fact.user}" has no installations, so there is none to send it to.`
    case 'unknown-user':
      return `No user has the id "${fact.user}".`
    default:
      return plain[fact.code]
  }
}

const plain: Record<PlainFact, string> = {
  'names-user': 'The message names the user, who was logged in on this installation.',
  everybody: 'The message goes to everybody.',
  'matched-then': 'It matched all rules when the installations were selected. It no longer does.',
  'matches-only-now': 'It matches now, but did not when the installations were selected.',
  'not-named': 'The message does not name the user.',
  'live-not-connected': 'A live message goes to installations that are connected when it is accepted; it was not.',
  'logged-out': 'The user had logged out of it.',
  'not-own-then': 'It was not one of the user’s installations when the message was accepted.',
  'not-connected': 'Not the live connection: it is not connected.',
  'looked-for': 'The installations of the message are still being selected.',
  'being-sent': 'It is being sent at this moment.',
  'in-work-list': 'It is in the queue.',
  'waits-for-turn': 'It waits for its turn at the pace of the message.',
  'message-paused': 'The message was paused.',
  'sending-stopped': 'All sending of the app was stopped.',
  'message-expired': 'The message has expired and will not be sent any more.',
  uninstalled: 'It was uninstalled.',
}

const ways: Record<string, string> = { inbox: 'The inbox', connection: 'The live connection', none: 'None' }

const outcomes: Record<string, string> = {
  accepted: 'accepted it',
  gone: 'said that the token is invalid',
  later: 'said to try again later',
  refused: 'refused it',
  paused: 'did not take our credentials',
  unknown: 'gave no answer',
}

const faults: Partial<Record<TroubleReason, string>> = {
  'name-not-found': 'its name could not be resolved',
  'connection-refused': 'it refused the connection',
  'timed-out': 'it did not answer in time',
}

const reports: Record<string, string> = {
  delivered: 'The device acknowledged it.',
  shown: 'The device showed it.',
  opened: 'It was opened.',
  acted: 'An action was taken.',
  dismissed: 'It was dismissed.',
}

const ends: Record<DeliveryReason, string> = {
  expired: 'It expired before it could be handed over or fetched.',
  gone: 'The installation is gone.',
  refused: 'It could not be sent in this form.',
  'no-provider': 'This installation has no delivery channel.',
  'not-in-channel': 'The installation is not on the message’s channel.',
  'opted-out': 'Notifications are not allowed on the device.',
  'promo-exhausted': 'There was no promo code left for the user.',
  'promo-withheld': 'The app gives no promo codes to guests, or to installations that are this new.',
  control: 'The user is in the control group, which gets no messages with a category.',
  unsubscribed: 'The user does not want messages of this category.',
  capped: 'The user has had as many messages as a cap of the app allows.',
  cancelled: 'The message was cancelled before it was sent.',
  'no-phone': 'The user has no phone number.',
  skipped: 'It was left out.',
  unknown: 'It is not known whether it arrived: the provider did not answer two attempts.',
}

/** A detail that only repeats the reason is left out. */
function joinOnce(reason: string, detail: string | undefined): string {
  const said = detail ? sentence(detail) : reason
  return said === reason ? reason : `${reason} ${said}`
}

function sumUp({ count, sent, waiting, ended, none }: Extract<TimelineFact, { code: 'installations' }>): string {
  const parts = [
    ...(sent > 0 ? [`sent to ${sent}`] : []),
    ...(waiting > 0 ? [`waiting for ${waiting}`] : []),
    ...(ended > 0 ? [`ended for ${ended}`] : []),
    ...(none > 0 ? [`not meant for ${none}`] : []),
  ]
  return `Of ${installations(count)}: ${parts.join(', ')}.`
}

function installations(count: number): string {
  return count === 1 ? '1 installation' : `${count} installations`
}

function moment(at: number): string {
  return new Date(at).toISOString()
}

function said(detail: string | undefined): string {
  return detail ? `: ${detail.replace(/\.$/, '')}.` : '.'
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
}
