import { are, capital, devices, type Show, were } from './counts.ts'
import { cancelEn } from './messages/cancel.ts'
import { recallEn } from './messages/recall.ts'
import { scheduledEn } from './messages/scheduled.ts'
import { verdictEn } from './messages/verdict.ts'
import { timelineEn } from './timeline.ts'

/** The texts of messages in English. */
export const messagesEn = {
  ...cancelEn,
  lead: 'Everything that was sent, newest first.',
  send: 'New message',
  none: 'No messages yet',
  noneText: 'Messages sent here or through the API appear in this list.',
  noneFound: 'No matching messages',
  noneFoundText:
    'Search by message id, campaign key, clientId, user id, or words of a group message. Words are searched in the latest 2,000 group messages.',
  clear: 'Clear search',
  search: 'Search messages',
  searchHint: 'Words, user id, campaign key or message id',
  kind: 'Audience',
  kinds: { all: 'All', group: 'To groups', personal: 'To specific users', scheduled: 'Scheduled' },
  message: 'Message',
  to: 'To',
  when: 'Sent',
  status: 'Status',
  delivered: 'Delivered',
  opened: 'Opened',
  deliveredHint: 'Devices that confirmed it, as a share of those it was sent to.',
  openedHint:
    'Devices on which somebody tapped the notification or pressed one of its buttons, as a share of those it was delivered to.',
  devices,
  silent: 'silent, no notification',
  noText: 'No text',
  toUsers: (count: number, shown: string) => (count === 1 ? 'one user' : `${shown} users`),
  toChannel: (channel: string) => `Channel ${channel}`,
  toEverybody: 'Everybody',
  toGroup: 'Users by rules',
  scheduled: scheduledEn,
  statuses: {
    scheduled: 'Scheduled',
    waiting: 'Waiting',
    sending: 'Sending',
    pausing: 'Pausing',
    paused: 'Paused',
    stopped: 'Stopped',
    stopping: 'Cancelling',
    cancelled: 'Cancelled',
    tooLate: 'Cancelled too late',
    recalled: 'Recalled',
    done: 'Done',
    nobody: 'No recipients',
  },
  progress: (done: string, total: string) => `${done} of ${total}`,
  inInbox: (count: number, shown: string) =>
    count === 1 ? 'one of them waits for its device' : `${shown} of them wait for their device`,
  waitingUntil: 'Waiting for the users’ local time',
  progressLabel: 'Progress',
  eta: (duration: string) => `about ${duration} left`,
  rate: (perSecond: string) => `${perSecond} per second`,
  pace: (perMinute: string) => `at most ${perMinute} per minute`,
  notThere: 'Message not found',
  notThereText: 'It may be older than the retention period, or belong to another app.',
  toList: 'All messages',
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel send',
  cancelTitle: 'Cancel this send?',
  cancelConfirm: 'Cancel send',
  paused: (kept: number, inFlight: number, show: Show) => {
    if (kept + inFlight === 0) return 'Too late to pause: everything was already sent.'
    if (kept === 0)
      return `Pausing. ${capital(devices(inFlight, show(inFlight)))} ${were(inFlight)} being sent at that moment.`
    const rest =
      inFlight > 0 ? ` ${capital(devices(inFlight, show(inFlight)))} ${were(inFlight)} being sent at that moment.` : ''
    return `Paused: ${devices(kept, show(kept))} ${kept === 1 ? 'waits' : 'wait'}.${rest}`
  },
  resumed: 'Resumed.',
  stopNote: {
    pausing: (inFlight: number, show: Show) =>
      `${capital(devices(inFlight, show(inFlight)))} ${are(inFlight)} being sent. What the provider already has cannot be held back; the rest will wait.`,
    pausedSms: 'Its SMS fallbacks wait until you resume.',
    paused: (queued: number, inInbox: number, inFlight: number, show: Show) =>
      [
        ...(queued > 0
          ? [`${capital(devices(queued, show(queued)))} ${queued === 1 ? 'waits' : 'wait'} until you resume.`]
          : []),
        ...(inInbox > 0
          ? [
              `${capital(devices(inInbox, show(inInbox)))} ${inInbox === 1 ? 'waits' : 'wait'} until you resume and the device connects.`,
            ]
          : []),
        ...(inFlight > 0
          ? [`The provider already had ${devices(inFlight, show(inFlight))}: these count as sent when it answers.`]
          : []),
      ].join(' '),
    stopping: (cancelled: number, inFlight: number, show: Show) =>
      `${cancelled > 0 ? `${capital(devices(cancelled, show(cancelled)))} will not get it. ` : ''}${capital(devices(inFlight, show(inFlight)))} ${are(inFlight)} with the provider or on the way there; their outcome is known in a moment.`,
    cancelled: (cancelled: number, others: number, show: Show) =>
      others === 0
        ? 'Cancelled before anything was sent.'
        : `Cancelled while sending: ${devices(cancelled, show(cancelled))} did not get it; for ${devices(others, show(others))} it was too late.`,
    tooLate: (total: number, show: Show) =>
      `Cancelled too late: it had already been sent to ${total === 1 ? 'its one device' : `all ${show(total)} devices`}.`,
  },
  recall: recallEn,
  verdict: verdictEn,
  test: 'Test send',
  again: 'Send again',
  funnel: 'Delivery funnel',
  ofStep: {
    accepted: (share: string) => `${share} of accepted`,
    sent: (share: string) => `${share} of sent`,
    delivered: (share: string) => `${share} of delivered`,
  },
  gaps: {
    waiting: (count: string) => `${count} waiting: in the queue, or until the device connects`,
    notSent: (count: string) => `${count} not sent: the reasons are below`,
    confirming: (count: string) => `${count} waiting for confirmation`,
    unconfirmed: (count: string) => `${count} sent, not confirmed: no client library, or offline`,
    notShown: (count: string) => `${count} delivered, not shown: received inside the app, or not displayed yet`,
    acted: (count: string) => `${count} by a button`,
    dismissed: (count: string) => `${count} dismissed`,
  },
  steps: {
    accepted: 'Accepted',
    sent: 'Sent',
    delivered: 'Delivered',
    shown: 'Shown',
    opened: 'Opened',
  },
  stepHints: {
    accepted: 'Devices it goes to, counted when it was accepted.',
    sent: 'Handed to the provider or the live connection.',
    delivered:
      'The device confirmed that it has it. A device without the client library never confirms: some of those that did not may have it.',
    shown: 'The device showed the notification. Of those that were delivered.',
    opened: 'Somebody tapped it or pressed one of its buttons. Of those that were delivered.',
    acted: 'Somebody pressed one of its buttons. Of those that were opened.',
    dismissed: 'Somebody swiped it away. Of those that were delivered.',
  },
  missed: 'Not delivered',
  missedNone: 'No failed deliveries so far.',
  showReason: (title: string) => `${title}: show devices`,
  reasons: {
    expired: {
      title: 'Expired',
      text: 'It could not be delivered before it expired. A later expiry reaches devices that are off for a while.',
    },
    gone: {
      title: 'App uninstalled',
      text: 'The provider reports that the app was removed. These devices are marked as uninstalled and left out next time.',
    },
    refused: {
      title: 'Refused',
      text: 'The provider refused it, or another user had the device by then. Open a device to read the exact answer.',
    },
    'no-provider': {
      title: 'No delivery channel',
      text: 'The device has no push token and no live connection, or its provider has no credentials. Check the push providers in the settings.',
    },
    'not-in-channel': {
      title: 'Not subscribed to the channel',
      text: 'The message went to a channel that the device is not subscribed to.',
    },
    'opted-out': {
      title: 'Notifications off',
      text: 'The user does not allow notifications. A message in the app still reaches them.',
    },
    'promo-exhausted': {
      title: 'No promo code left',
      text: 'The text needs a code and none was left. Upload more codes and send to these users again.',
    },
    'promo-withheld': {
      title: 'Promo code withheld',
      text: 'The text needs a code, and the app gives none to guests or to new devices.',
    },
    control: {
      title: 'Control group',
      text: 'These users get nothing, so that you can compare. They are in the control group of this message, or of the app.',
    },
    unsubscribed: { title: 'Not wanted', text: 'The user does not want messages of this category.' },
    capped: {
      title: 'Cap reached',
      text: 'The user has had as many messages as a cap allows. Open a device to read which ones.',
    },
    cancelled: { title: 'Cancelled', text: 'The message was cancelled before it was sent to these devices.' },
    'no-phone': { title: 'No phone number', text: 'The SMS could not be sent: the user has no phone number.' },
    unknown: {
      title: 'No answer from the provider',
      text: 'The provider did not answer two attempts. Some of these may have arrived.',
    },
    skipped: {
      title: 'Local time had passed',
      text: 'The time chosen for the message had already passed on these users’ clocks, and it was set to leave them out.',
    },
  },
  opens: 'Opens over time',
  whenOpened: ({ total, halfHours }: { total: number; halfHours: number | undefined }, show: Show) => {
    if (total === 0) return 'Not opened yet'
    if (halfHours !== undefined)
      return `Half of the opens came within ${halfHours === 1 ? 'an hour' : `${show(halfHours)} hours`}`
    return `Opened on ${devices(total, show(total))}`
  },
  undated: (count: number, shown: string) =>
    `${capital(devices(count, shown))} ${are(count)} not in the chart: when they opened it is no longer known.`,
  noOpensThen: 'Not opened in the first 48 hours.',
  opensLead: 'Devices, by the time they first opened it.',
  byHour: 'First 48 hours',
  byDay: 'By day',
  tapped: 'Tapped',
  actedShort: 'Button pressed',
  noOpens: 'Nobody has opened it yet.',
  conversions: 'Conversions',
  conversionsLead: (event: string, within: string, isOfTest: boolean) =>
    `A conversion is “${event}” within ${within} after the user was assigned${isOfTest ? '. Users in the test only' : ''}.`,
  converted: 'Users who converted',
  reachedOf: (reached: string, of: string, rate: string) => `${reached} of ${of} (${rate})`,
  results: 'After opening',
  resultsLead: 'All events of any kind within 12 hours after it was opened.',
  noGoal: 'To count conversions, set a goal in your next message.',
  events: 'Events',
  directEvents: (count: string) => `${count} of them right after the tap`,
  revenue: 'Revenue',
  noRevenue: '–',
  actions: 'Buttons pressed',
  actionNoId: 'without an id',
  sms: 'SMS fallback',
  smsStates: {
    waiting: 'waiting',
    cancelled: 'not needed',
    sending: 'being sent',
    sent: 'sent',
    refused: 'refused',
    unknown: 'no answer',
    'no-phone': 'no phone number',
    'no-provider': 'no SMS gateway',
    expired: 'expired',
    'over-limit': 'over the daily limit',
  } as Record<string, string>,
  preview: 'Preview',
  previewNone: 'It has no notification: it is only received inside the app.',
  facts: 'Details',
  fact: {
    id: 'Message id',
    audience: 'Recipients',
    channel: 'Channel',
    campaign: 'Campaign',
    product: 'Type',
    expires: 'Expires',
    throttle: 'Speed',
    localTime: 'Goes',
    clientId: 'clientId',
    languages: 'Languages',
    flags: 'Options',
    data: 'Data',
    codes: 'Promo codes given',
    approvedBy: 'Approved by',
  },
  products: { message: 'Message, kept until it expires', notification: 'Notification only' },
  flags: {
    inApp: 'inside the app only',
    live: 'only to users who have the app open',
    autoNotify: 'shown by the platform',
    useAsAlert: 'message text in the notification',
    silent: 'silent',
    quietHours: 'also during quiet hours',
    whenCapped: 'waits while a user has reached a limit',
  },
  expiresAfter: (time: string) => `${time} after it is sent`,
  perMinute: (devices: string) => `at most ${devices} devices per minute`,
  smsWhen: {
    NOT_RECEIVED: (time: string) => `After ${time}, when the message was not received:`,
    NOTIFICATION_SHOWN: (time: string) => `After ${time}, when the notification was not shown:`,
  },
  defaultChannel: 'default',
  moreUsers: (count: number, shown: string) => (count === 1 ? 'and one more' : `and ${shown} more`),
  atLeast: (count: string) => `more than ${count}`,
  deliveries: 'Devices',
  deliveriesLead: 'Open one to see its delivery history.',
  state: 'State',
  anyState: 'Any state',
  reason: 'Reason',
  anyReason: 'Any reason',
  user: 'User',
  device: 'Device',
  way: 'Delivery channel',
  detail: 'Answer',
  changed: 'Last change',
  guest: 'no user',
  noDeliveries: 'No matching devices.',
  notExpanded: 'Devices are listed once sending has begun.',
  ways: { fcm: 'FCM', apns: 'APNs', webpush: 'Web Push', connection: 'Live connection', inbox: 'Inbox' } as Record<
    string,
    string
  >,
  story: 'Delivery history of a user',
  timelineHint: 'User id',
  timelineAsk: 'Show history',
  timelineOf: (user: string) => `Delivery history of ${user}`,
  confirming: 'Sent. Waiting for the device to confirm it.',
  unconfirmed:
    'The device has not confirmed it. It may be off or offline, or its app may not have the client library that confirms messages.',
  toUser: 'Open user',
  tell: timelineEn,
  kindsOfTimeline: {
    accepted: 'Accepted',
    matched: 'In the audience',
    'not-matched': 'Not in the audience',
    language: 'Language',
    variant: 'Variant',
    path: 'Delivery channel',
    attempt: 'Attempted',
    sent: 'Sent',
    receipt: 'Device report',
    paused: 'Paused',
    expired: 'Expired',
    waiting: 'Waiting',
    ended: 'Not delivered',
    uninstalled: 'Uninstalled',
  },
}
