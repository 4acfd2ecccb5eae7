import type { SegmentSample } from '@peyk/contract'

type Row = SegmentSample['data'][number]

/** Each user once, with the device that visited last and the platforms of all that were found. */
export function byUser(rows: readonly Row[]): { row: Row; deviceTypes: string[] }[] {
  return [...Map.groupBy(rows, ({ userId }) => userId).values()].map((devices) => ({
    row: devices.reduce((latest, device) => (device.launchTime > latest.launchTime ? device : latest)),
    deviceTypes: [...new Set(devices.map(({ deviceType }) => deviceType))],
  }))
}
