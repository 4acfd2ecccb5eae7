import { devices } from '../counts.ts'

/** The texts of the calendar in English. */
export const calendarEn = {
  lead: 'Scheduled messages and past sends to groups.',
  view: 'View',
  views: { month: 'Month', week: 'Week' },
  today: 'Today',
  earlier: { month: 'Previous month', week: 'Previous week' },
  later: { month: 'Next month', week: 'Next week' },
  hours: 'Hours of the week',
  openWeek: (day: string) => `Show the week of ${day}`,
  more: (shown: string) => `${shown} more`,
  moreSent: (shown: string) => `${shown} more sent`,
  noText: 'No text',
  devices,
  earlierDays: (days: number, shown: string) => (days === 1 ? 'Show one earlier day' : `Show ${shown} earlier days`),
  nothing: 'Nothing planned or sent.',
  localTime: 'local time',
  flags: {
    series: 'repeats',
    further: 'later moment of a repeating message',
    changed: 'changed by itself',
    paused: 'paused',
    sending: 'being sent',
    sent: 'sent',
    cancelled: 'cancelled while sending',
    recalled: 'recalled',
    close: 'within an hour of another message to everybody',
  },
  open: 'Open message',
  openSeries: 'Repeating message',
  move: 'Move…',
  moved: (title: string, moment: string) => `“${title}” moved to ${moment}.`,
  movedBack: (title: string) => `“${title}” is back where it was.`,
  past: 'That time has passed. It stays where it was.',
  dragHint: 'Drag a message to move it, or open it and choose “Move…”.',
  crowded: (count: string, most: string) => `${count} planned, cap ${most}`,
  crowdedText: (count: string, window: string, most: string) =>
    `${count} messages to groups within ${window}; a user gets at most ${most}.`,
  crowdedNote:
    'Marked days have more messages to groups than a cap allows one user. How many users are in several of them is not known before they go.',
  isMore: 'There is more in these days than fits on the calendar. Messages → Scheduled lists everything that is to go.',
}
