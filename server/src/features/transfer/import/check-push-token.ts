import { providerOf } from '../../deliveries/choose-path.ts'
import { readSubscription } from '../../deliveries/providers/web-push/read-subscription.ts'

/**
 * FCM tokens consist of these characters. Phone numbers have no letters; email addresses and URLs have other
 * characters.
 */
const fcmSigns = /^(?!(?:null|nil|none|undefined)$)(?=.*[A-Za-z])[\w:-]+$/i
const fcmToken = /^[\w-]+:APA91b[\w-]{20,}$/

/** Returns why a text cannot be a push token of its platform; undefined if a provider may accept it. */
export function findTokenFault(deviceType: string, token: string): string | undefined {
  const provider = providerOf({ token })
  // Firebase's SDK also gives its own tokens to iOS apps and browsers.
  if (deviceType !== 'android' && fcmToken.test(token)) return undefined
  if (deviceType === 'ios')
    return provider === 'apns' ? undefined : 'not an APNs token, which has 64 to 200 hexadecimal digits'
  if (deviceType === 'web' || provider === 'webpush') return findSubscriptionFault(deviceType, token)
  if (deviceType === 'android' && provider === 'apns') return 'an APNs token, not an FCM token: is it an iPhone?'
  if (provider === 'apns' || fcmSigns.test(token)) return undefined
  return deviceType === 'android' ? 'not an FCM token' : 'not a push token'
}

function findSubscriptionFault(deviceType: string, token: string): string | undefined {
  if (deviceType === 'android') return 'a browser subscription, not an FCM token'
  const subscription = readSubscription(token)
  if (typeof subscription !== 'string') return undefined
  const needed = token.startsWith('{') ? '' : ', with its endpoint and keys'
  return `not a browser subscription: ${subscription}${needed}`
}
