import type { Context } from '#base/context.ts'
import { writeConnection } from './write-connections.ts'

export interface DisconnectInput {
  installationId: string
  installationNo: number
  connectionId: string
  /** Messages sent to the client but not acknowledged; undefined if unknown. */
  unacknowledged: readonly string[] | undefined
  /** It ended without the client's doing, so the client is expected back. */
  mayReturn?: boolean
}

/** Ends this connection of the installation; one that has taken over from it stays. */
export async function disconnectInstallation(ctx: Context, input: DisconnectInput): Promise<void> {
  await writeConnection(ctx, { ...input, kind: 'end', appId: ctx.app.id })
}
