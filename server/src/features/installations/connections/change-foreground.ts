import type { Context } from '#base/context.ts'
import { writeConnection } from './write-connections.ts'

export interface ForegroundInput {
  installationId: string
  installationNo: number
  connectionId: string
  isOpen: boolean
}

/** The app came to the foreground or left it, while its connection goes on. */
export async function changeForeground(ctx: Context, input: ForegroundInput): Promise<void> {
  await writeConnection(ctx, { ...input, kind: 'foreground', appId: ctx.app.id })
}
