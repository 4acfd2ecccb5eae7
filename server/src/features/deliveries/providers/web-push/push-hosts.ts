/** The push services of the browsers: the only hosts an endpoint may name, besides those of PEYK_WEBPUSH_HOSTS. */
export const knownPushHosts: readonly string[] = [
  // Chrome, Opera, Samsung Internet and others
  'fcm.googleapis.com',
  'android.googleapis.com',
  'jmt17.google.com',
  // Firefox
  '*.push.services.mozilla.com',
  // Safari
  '*.push.apple.com',
  // Edge
  '*.notify.windows.com',
]
