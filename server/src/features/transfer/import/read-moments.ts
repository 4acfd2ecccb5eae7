import { readMoment } from '#base/read-moment.ts'

/** Stands for an unknown date, so that an import does not make a device new or active on a recent day. */
export const unknownDate = new Date('2000-01-01T00:00:00Z')

/** When a device was installed and last used, if the line says so. Future dates count as unknown. */
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

/** Exports write `2026-11-15 12:00:00` or `… UTC`, which Date.parse reads as this machine's local time. */
function inUtc(text: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?: ?(?:UTC|Z))?$/.exec(text) ?? []
  return day === undefined ? text : `${day}T${time}Z`
}
