import { capital, devices, type Show } from '../counts.ts'

interface Counts {
  cancelled: number
  cleared: number
  notReachable: number
  waiting?: number
}

/** What taking a message back does, in English. */
export const recallEn = {
  button: 'Recall',
  title: 'Recall this message?',
  confirm: 'Recall message',
  text: (waiting: number, sent: number, show: Show) =>
    [
      ...(waiting > 0 ? [`${capital(devices(waiting, show(waiting)))} will not get it.`] : []),
      ...(sent > 0
        ? [
            `${capital(devices(sent, show(sent)))} may have it: the notification is taken off the screen, and the app forgets the message.`,
            'That works where the platform allows it: a device that is off hears of it later, and an iPhone whose app was swiped away when the app is opened again.',
          ]
        : []),
      'An SMS cannot be taken back. A recall cannot be undone.',
    ].join(' '),
  done: ({ cancelled, cleared, notReachable, waiting = 0 }: Counts, show: Show) =>
    [
      ...(cancelled > 0 ? [`${capital(devices(cancelled, show(cancelled)))} did not get it.`] : []),
      ...(cleared > 0
        ? [`${capital(devices(cleared, show(cleared)))} ${cleared === 1 ? 'was' : 'were'} told to take it away.`]
        : []),
      ...(waiting > 0
        ? [`${capital(devices(waiting, show(waiting)))} ${waiting === 1 ? 'is' : 'are'} still to be told.`]
        : []),
      ...(notReachable > 0
        ? [
            `${capital(devices(notReachable, show(notReachable)))} cannot be reached now and ${notReachable === 1 ? 'is' : 'are'} told when the app connects.`,
          ]
        : []),
    ].join(' ') || 'There was nothing to take back.',
}
