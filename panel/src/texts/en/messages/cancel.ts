import { are, capital, devices, type Show, were } from '../counts.ts'

/** What cancelling a message does, in English: the overview and the page of a message say it. */
export const cancelEn = {
  keepSending: 'Keep sending',
  cancelText: (kept: number, inFlight: number, show: Show) =>
    [
      ...(kept > 0 ? [`${capital(devices(kept, show(kept)))} will not get it.`] : []),
      ...(inFlight > 0
        ? [
            `${capital(devices(inFlight, show(inFlight)))} ${are(inFlight)} being sent right now: what the provider already has goes out, the rest is cancelled.`,
          ]
        : []),
      'What was already sent stays on the devices unless you recall it, and sending cannot be resumed later.',
    ].join(' '),
  cancelled: (count: number, inFlight: number, show: Show) => {
    if (count + inFlight === 0) return 'Too late: everything was already sent.'
    if (count === 0)
      return `Cancelling. ${capital(devices(inFlight, show(inFlight)))} ${were(inFlight)} being sent at that moment.`
    const rest =
      inFlight > 0 ? ` ${capital(devices(inFlight, show(inFlight)))} ${were(inFlight)} being sent at that moment.` : ''
    return `Cancelled: ${devices(count, show(count))} will not get it.${rest}`
  },
}
