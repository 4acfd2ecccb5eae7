import { providerOf } from '../../deliveries/choose-path.ts'
import { readSubscription } from '../../deliveries/providers/web-push/read-subscription.ts'

/** Any text of these signs may be an FCM token. Phone numbers have no letter, email addresses and URLs have other signs. */
const fcmSigns = /^(?!(?:null|nil|none|undefined)$)(?=.*[A-Za-z])[\w:-]+$/i
const fcmToken = /^[\w-]+:APA91b[\w-]{20,}$/

/** What keeps a text from being a push token of its platform; undefined if a provider may accept it. */
export function findTokenFault(deviceType: string, token: string): string | undefined {
  const provider = providerOf({ token })
  // Firebase's library gives its own tokens to apps on iOS and to browsers, too.
  if (deviceType !== 'android' && fcmToken.test(token)) return undefined
  if (deviceType === 'ios')
    return provider === 'apns' ? undefined : 'not an APNs token, which has 64 to 200 hexadecimal digits'
  if (deviceType === 'web' || provider === 'webpush') return findSubscriptionFault(deviceType, token)
  if (deviceType === 'android' && provider === 'apns') return 'a token of APNs, not of FCM: is it an iPhone?'
  if (provider === 'apns' || fcmSigns.test(token)) return undefined
  return deviceType === 'android' ? 'not an FCM token' : 'not a push token'
}

function findSubscriptionFault(deviceType: string, token: string): string | undefined {
  if (deviceType === 'android') return 'a subscription of a browser, not an FCM token'
  const subscription = readSubscription(token)
  if (typeof subscription !== 'string') return undefined
  const needed = token.startsWith('{') ? '' : ', with its endpoint and keys'
  return `not a subscription of a browser: ${subscription}${needed}`
}
