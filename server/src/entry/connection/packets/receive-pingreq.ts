import type { ClientConnection } from '../client-connection.ts'
import type { ConnectionServices } from '../connection-services.ts'

const pingresp = Buffer.from([0xd0, 0])

export function receivePingreq(_services: ConnectionServices, connection: ClientConnection): void {
  connection.write(pingresp)
}
