import type { Context } from '#base/context.ts'
import { checkInstallationId } from '../installation-id.ts'
import { type ConnectedInstallation, writeConnection } from './write-connections.ts'

export interface ConnectInput {
  installationId: string
  /** Whom the client says the installation belongs to. */
  userId: string
  holder: string
  connectionId: string
  /** The client keeps nothing of an earlier session. */
  isClean: boolean
}

/** The installation is connected from now on, and visits. Takes over from an earlier connection of the same one. */
export async function connectInstallation(ctx: Context, input: ConnectInput): Promise<ConnectedInstallation> {
  const installationId = checkInstallationId(input.installationId)
  const { connected } = await writeConnection(ctx, { ...input, kind: 'connect', appId: ctx.app.id, installationId })
  return connected as ConnectedInstallation
}
