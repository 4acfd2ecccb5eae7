import { readMoment } from '../../../base/read-moment.ts'

/** Stands for an unknown date: no device counts as new or active on a recent day because it was imported. */
export const unknownDate = new Date('2000-01-01T00:00:00Z')

/** When a device was installed and last used, as far as the line says. Dates in the future count as unknown. */
export function readMoments(
  { installDate, launchTime }: { installDate?: unknown; launchTime?: unknown },
  now: Date,
): { installDate: number; launchTime: number } {
  const installed = readDate('installDate', installDate, now)
  const launched = readDate('launchTime', launchTime, now)
  const last = launched ?? installed ?? unknownDate
  const first = installed && installed < last ? installed : last
  return { installDate: first.getTime(), launchTime: last.getTime() }
}

function readDate(field: string, sent: unknown, now: Date): Date | undefined {
  if (sent === undefined || sent === null) return undefined
  const moment = readMoment(field, typeof sent === 'string' ? inUtc(sent.trim()) : (sent as number))
  return moment && moment >= unknownDate && moment <= now ? moment : undefined
}

/** Exports write `2026-11-15 12:00:00` or `… UTC`, which Date.parse takes for the time of this machine. */
function inUtc(text: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?: ?(?:UTC|Z))?$/.exec(text) ?? []
  return day === undefined ? text : `${day}T${time}Z`
}
