import type { Connection } from '../connection.ts'

const pingresp = Buffer.from([0xd0, 0])

export function receivePingreq(connection: Connection): void {
  connection.write(pingresp)
}
