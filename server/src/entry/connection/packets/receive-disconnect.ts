import type { ClientConnection } from '../client-connection.ts'
import type { ConnectionServices } from '../connection-services.ts'

export function receiveDisconnect(_services: ConnectionServices, connection: ClientConnection): void {
  connection.close('left')
}
