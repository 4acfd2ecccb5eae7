/** Of a day, hour by hour: how many visits there are, 1 being the busiest hour. */
const visitsByHour = [
  0.2, 0.1, 0.06, 0.05, 0.05, 0.08, 0.18, 0.32, 0.42, 0.46, 0.48, 0.52, 0.62, 0.6, 0.5, 0.48, 0.52, 0.6, 0.72, 0.86,
  0.97, 1, 0.78, 0.42,
]

/** Of the average hour, compared with the busiest. */
const averageOfDay = visitsByHour.reduce((sum, share) => sum + share, 0) / visitsByHour.length

const clocks = new Map<string, Intl.DateTimeFormat>()

/** From 0 to 1: how busy the hour is where they live. */
export function busynessAt(now: number, timeZone: string): number {
  let clock = clocks.get(timeZone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' })
    clocks.set(timeZone, clock)
  }
  return visitsByHour[Number(clock.format(now))] as number
}

/** How far apart visits of a crowd are in the busiest hour, when each member comes so often a day. */
export function shortestMeanMs(size: number, visitsPerDay: number): number {
  return (86_400_000 * averageOfDay) / (size * visitsPerDay)
}
