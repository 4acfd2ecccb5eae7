/** Trying a link on a phone, and what comes back from a test, in English. */
export const tryingLinkEn = {
  link: 'Test on a phone',
  linkTitle: 'Test the link on a phone',
  linkText:
    'A notification with nothing but this link goes to the devices you choose. They report the tap; which screen opens, you see on the phone.',
  linkBody: 'Tap to try the link.',
  results: 'What the devices report',
  details: 'Details',
  tapIt: 'Tap it on the simulated phone',
  states: {
    queued: 'On its way. A device without a push token gets it when it connects.',
    sent: 'Sent. The device has not confirmed it yet.',
    tap: 'It is on the device. A tap opens',
    tapPlain: 'It is on the device. It has no link: a tap opens the app.',
    opened: 'Tapped. The app was given',
    openedPlain: 'Tapped. It has no link: the app was opened.',
    acted: 'One of its buttons was pressed.',
    dismissed: 'Dismissed on the device.',
    ended: (reason: string | undefined) => (reason === undefined ? 'Not delivered.' : `Not delivered: ${reason}.`),
  },
}
