import { are, capital, devices, type Show, were } from './counts.ts'

/** What cancelling a message does, in English: the overview and the page of a message say it. */
export const cancelEn = {
  cancelText: (kept: number, inFlight: number, show: Show) =>
    [
      ...(kept > 0 ? [`${capital(devices(kept, show(kept)))} will not get it.`] : []),
      ...(inFlight > 0
        ? [
            `${capital(devices(inFlight, show(inFlight)))} ${are(inFlight)} being handed over right now: what the provider has goes out, the rest is stopped.`,
          ]
        : []),
      'What was sent already cannot be taken back, and sending cannot go on later.',
    ].join(' '),
  cancelled: (count: number, inFlight: number, show: Show) => {
    if (count + inFlight === 0) return 'Too late: all of it was handed over already.'
    if (count === 0)
      return `Stopping. ${capital(devices(inFlight, show(inFlight)))} ${were(inFlight)} just being handed over.`
    const rest =
      inFlight > 0 ? ` ${capital(devices(inFlight, show(inFlight)))} ${were(inFlight)} just being handed over.` : ''
    return `Stopped: ${devices(count, show(count))} will not get it.${rest}`
  },
}
