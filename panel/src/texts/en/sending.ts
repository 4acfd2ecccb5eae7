import { capital, devices, type Show } from './counts.ts'

interface Waiting {
  messages: number
  devices: number
  inFlight: number
  sms: number
  more?: boolean
}

/** Stopping and resuming all that an app sends, in English. */
export const sendingEn = {
  stop: 'Stop all sending',
  stopTitle: 'Stop all sending?',
  stopText: (waiting: Waiting, show: Show) =>
    `${isNothing(waiting) ? 'Nothing is being sent right now.' : `${capital(amount(waiting, show))} will wait until you resume.`} New messages are accepted and wait, too. Webhooks continue.`,
  stopped: (waiting: Waiting, show: Show) =>
    `${isNothing(waiting) ? 'All sending is stopped. Nothing was being sent.' : `All sending is stopped: ${amount(waiting, show)} will wait.`}${
      waiting.inFlight > 0
        ? ` A provider already had the push to ${devices(waiting.inFlight, show(waiting.inFlight))}.`
        : ''
    }`,
  isStopped: 'All sending is stopped',
  since: (when: string, by: string | undefined) =>
    `Since ${when}, ${by === undefined ? 'from the command line' : `by ${by}`}.`,
  waiting: (waiting: Waiting, show: Show) =>
    isNothing(waiting) ? 'Nothing is waiting.' : `Waiting: ${amount(waiting, show)}.`,
  resume: 'Resume',
  resumeTitle: 'Resume all sending?',
  resumeText: (waiting: Waiting, show: Show) =>
    `${isNothing(waiting) ? 'Nothing is waiting.' : `${capital(amount(waiting, show))} will go out.`} Messages that were paused individually stay paused.`,
  resumed: (waiting: Waiting, show: Show) =>
    isNothing(waiting)
      ? 'All sending is resumed. Nothing was waiting.'
      : `All sending is resumed: ${amount(waiting, show)}.`,
}

function isNothing({ messages, sms }: Waiting): boolean {
  return messages + sms === 0
}

/** "3 messages to 41,200 devices and 80 SMS" */
function amount({ messages, devices: count, sms, more }: Waiting, show: Show): string {
  const pushes = `${messages === 1 ? 'one message' : `${show(messages)} messages`} to ${devices(count, show(count))}`
  const parts = [...(messages > 0 ? [pushes] : []), ...(sms > 0 ? [sms === 1 ? 'one SMS' : `${show(sms)} SMS`] : [])]
  return `${more ? 'more than ' : ''}${parts.join(' and ')}`
}
