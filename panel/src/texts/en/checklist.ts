/** In English, what the first steps of an app say. */
export const checklistEn = {
  title: 'Get started',
  lead: 'Five steps to your first message.',
  progress: (done: string, all: string) => `${done} of ${all} done`,
  done: 'done',
  left: 'to do',
  dismiss: 'Dismiss',
  dismissed: 'Dismissed for the whole team. Settings › App brings it back.',
  askAdmin: 'Only admins can do this. Ask an admin of the app.',
  steps: {
    clientKey: 'Create a client key',
    snippet: 'Add the snippet',
    installation: 'See your first installation',
    provider: 'Connect a push provider',
    message: 'Send a test message',
  },
  key: {
    text: 'Your app or page identifies itself with this key. It is not a secret: it ships with your code.',
    label: 'Client key',
    placeholder: 'Paste a key',
    create: 'Create client key',
    another: 'Create another key',
    once: 'Copy it now: it is shown only once.',
    elsewhere:
      'This app has a client key; “peyk app create” printed one. Paste it to fill in the snippets, or create another.',
    /** What the key is called in the list of keys. */
    name: 'Getting started',
    manage: 'Manage client keys',
  },
  snippet: {
    kind: 'Platform of the snippet',
    kinds: { web: 'Web', android: 'Android', ios: 'iOS', curl: 'curl' },
    texts: {
      web: 'Paste it into your page. It registers the browser and keeps a live connection.',
      android: 'Registers the device over REST. No library needed.',
      ios: 'Registers the device over REST. No library needed. iOS 15 or later.',
      curl: 'No app at hand? This registers a made-up Android device.',
    },
    noKey: 'Create a client key first, and it is filled in here.',
  },
  installation: {
    waiting: 'Waiting for the first installation…',
    waitingText: 'Run your app or open your page with the snippet in it.',
    user: 'User of the newest device:',
    gone: 'The newest devices have uninstalled the app. Run it again for a test message.',
  },
  provider: {
    text: 'FCM, APNs and Web Push reach devices while your app is closed. With a live connection, devices get messages without them.',
    open: 'Go to push providers',
  },
  message: {
    text: 'Goes to the device that registered last.',
    noDevice: 'Register a device first.',
    notAllowed: 'Admins, marketers and support can send. Ask one of them.',
    send: 'Send test message',
    compose: 'Compose your own',
    content: 'It works! This is your first message.',
    states: {
      waiting: 'On its way. A device without a push token gets it when it connects.',
      sent: 'Sent.',
      arrived: 'Delivered.',
      ended: 'Not delivered.',
    },
    details: 'See what happened',
  },
  finished: {
    title: 'You’re all set',
    text: 'Devices register, a provider is connected, and your first message is out.',
    compose: 'Compose a message',
    close: 'Done',
  },
  again: {
    title: 'Setup checklist',
    lead: 'It was dismissed with steps left to do.',
    show: 'Show on the overview',
  },
}
