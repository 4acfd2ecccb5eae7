import type { Connection } from '../connection.ts'

export function receiveDisconnect(connection: Connection): void {
  connection.close('left')
}
