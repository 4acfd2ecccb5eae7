import type { DryRun, PathCode } from '@peyk/contract'
import { devices, users } from '../counts.ts'

type Provider = DryRun['samples'][number]['provider']

/** What a sentence about a fault may need, ready to be shown. */
export interface FaultValues {
  count: number
  shown: string
  provider: string
  why: string
  bytes: string
  allowed: string
  variable: string
  suggestion: string | undefined
}

interface SendReasons {
  providers: Record<Provider, string>
  why: Record<PathCode, (provider: string) => string>
  waits: (why: string) => string
  /** One that ends with a colon is followed by the words of somebody else. */
  faults: Record<DryRun['faultCodes'][number]['code'], (values: FaultValues) => string>
}

/** Why a message takes its way or none, and what would go wrong, by the codes of the dry run. */
export const sendReasonsEn: SendReasons = {
  providers: { fcm: 'Google (FCM)', apns: 'Apple (APNs)', webpush: 'browsers (Web Push)' },
  why: {
    token: (provider) => `Its push token is from ${provider}`,
    'no-token': () => 'The device has no push token',
    'no-credentials': (provider) => `The app has no credentials for ${provider}`,
    'notifications-off': () => 'Notifications are not allowed on the device',
    'not-in-channel': () => 'The device has not subscribed to the channel',
    'promo-withheld': () => 'The app gives no promo codes to guests or new devices',
    silent: () => 'It has no notification',
    'in-app': () => 'It is shown in the open app only',
    'live-open': () => 'The app is open now',
    'live-closed': () => 'The app is not open now',
    'connected-first': (provider) => `The device is connected; ${provider} is used if it does not confirm`,
    'connected-only': () => 'The device is connected, and no provider reaches it',
    'time-passed': () => 'That time has passed on the user’s clock',
  },
  waits: (why) => `${why}; it waits in the app`,
  faults: {
    nobody: () => 'Nobody would receive it.',
    paused: ({ provider, count, shown }) =>
      `Sending to ${provider} is paused, and ${devices(count, shown)} would wait:`,
    'not-sent': ({ why, count, shown }) => `${why}: not sent to ${devices(count, shown)}.`,
    'too-large': ({ provider, bytes, allowed }) =>
      `Too large for ${provider}: a sample has ${bytes} bytes, and ${allowed} are allowed.`,
    refused: ({ provider }) => `A sample for ${provider} would be refused:`,
    'no-codes': ({ count, shown }) => `Not sent to ${users(count, shown)}: there are not enough promo codes.`,
    'no-sms-gateway': () => 'The app has no SMS gateway: no SMS fallback is sent.',
    'sms-paused': () => 'Sending SMS is paused:',
    'no-phone': ({ count, shown }) => `No SMS fallback for ${users(count, shown)}: no phone number is known.`,
    'unknown-variable': ({ variable, suggestion }) =>
      suggestion === undefined
        ? `No user has ${variable}: it stays empty.`
        : `No user has ${variable}: it stays empty. Did you mean ${suggestion}?`,
    'no-fallback': ({ variable, count, shown }) =>
      `${variable} is empty on ${devices(count, shown)}. Add a fallback value.`,
    'unused-value': ({ variable }) => `No text asks for ${variable}.`,
    'too-slow': ({ count, shown }) =>
      `Not sent to ${devices(count, shown)}: at this pace the message expires before their turn.`,
  },
}
