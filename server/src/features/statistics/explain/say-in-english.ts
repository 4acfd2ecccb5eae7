import type { DeliveryReason, PlainSaying, StorySaying } from '@peyk/contract'

/** A sentence of the story for people who read the API's answers. The panel says the same in its own languages. */
export function sayInEnglish(saying: StorySaying): string {
  switch (saying.code) {
    case 'accepted':
      return `The ${saying.product} was accepted, for ${installations(saying.count)}.`
    case 'all-rules':
      return `It matches all of the message’s rules (${saying.count}).`
    case 'taken-up':
      return `It was taken up ${saying.count === 1 ? 'once' : `${saying.count} times`}.`
    case 'on-channel':
      return `It is subscribed to the channel "${saying.channel}".`
    case 'outside-channel':
      return `The message goes to the channel "${saying.channel}". The installation is subscribed to ${saying.own.map((name) => `"${name}"`).join(', ')}.`
    case 'rule-fails':
      return `The rule ${saying.rule} does not hold: here ${Object.entries(saying.values)
        .map(([name, value]) => `${name} is ${value ?? 'not set'}`)
        .join(', ')}.`
    case 'path':
      return `${ways[saying.way] ?? saying.way}${saying.detail ? `: ${saying.detail}` : ''}.`
    case 'path-now':
      return `By now it would be another: ${saying.detail}.`
    case 'path-chosen':
      return `When its way was chosen: ${saying.detail}.`
    case 'not-providers':
      return `Not ${saying.providers.join(' and ')}: the token is none of theirs.`
    case 'attempt':
      return `${saying.provider} ${outcomes[saying.outcome] ?? saying.outcome}${said(saying.detail)}`
    case 'provider-accepted':
      return `${saying.provider ?? 'The provider'} accepted it${said(saying.detail)}`
    case 'receipt':
      return saying.actionId
        ? `An action was taken: "${saying.actionId}".`
        : (reports[saying.receipt] ?? saying.receipt)
    case 'ended':
      return `${ends[saying.reason]}${saying.detail ? ` ${sentence(saying.detail)}` : ''}`
    case 'provider-paused':
      return `${saying.provider} is paused for the app: ${saying.detail}`
    case 'installations':
      return sumUp(saying)
    case 'registered-later':
      return `It was registered at ${moment(saying.at)}, after the message was accepted.`
    case 'uninstalled-before':
      return `It was uninstalled at ${moment(saying.at)}.`
    case 'logged-in-later':
      return `The user logged in on it at ${moment(saying.at)}, after the message was accepted.`
    case 'in-inbox':
      return `It waits in the inbox until it is fetched, or expires at ${moment(saying.at)}.`
    case 'tried-again':
      return `It will be tried again at ${moment(saying.at)}.`
    case 'expires':
      return `It expires at ${moment(saying.at)}.`
    case 'no-installations':
      return `The user "${saying.user}" has no installations, so there is none to send it to.`
    default:
      return plain[saying.code]
  }
}

const plain: Record<PlainSaying, string> = {
  'names-user': 'The message names the user, who was logged in on this installation.',
  everybody: 'The message goes to everybody.',
  'matched-then': 'It matched all rules when it was looked for. By now it would not.',
  'matches-only-now': 'It matches now, but it did not when the installations were looked for.',
  'not-named': 'The message does not name the user.',
  'live-not-connected': 'A live message goes to installations that are connected when it is accepted; it was not.',
  'logged-out': 'The user had logged out of it.',
  'not-own-then': 'It was not one of the user’s installations when the message was accepted.',
  'not-connected': 'Not the own connection: it is not connected.',
  'looked-for': 'The installations of the message are still being looked for.',
  'being-sent': 'It is being sent at this moment.',
  'in-work-list': 'It is in the work-list.',
  'message-paused': 'The message was paused.',
  'message-expired': 'The message has expired and will not be sent any more.',
  uninstalled: 'It was uninstalled.',
}

const ways: Record<string, string> = { inbox: 'The inbox', connection: 'The own connection', none: 'None' }

const outcomes: Record<string, string> = {
  accepted: 'accepted it',
  gone: 'said that the token is dead',
  later: 'said to try again later',
  refused: 'refused it',
  paused: 'did not take our credentials',
  unknown: 'gave no answer',
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
  'no-provider': 'There is no way to this installation.',
  'not-in-channel': 'The installation is not on the message’s channel.',
  'opted-out': 'Notifications are not allowed on the device.',
  'promo-exhausted': 'There was no promo code left for the user.',
  'promo-withheld': 'The app gives no promo codes to guests, or to installations that are this new.',
  cancelled: 'The message was cancelled before it was sent.',
  'no-phone': 'The user has no phone number.',
  unknown: 'Nobody knows whether it arrived: the provider gave no answer, twice.',
}

function sumUp({ count, sent, waiting, ended, none }: Extract<StorySaying, { code: 'installations' }>): string {
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
