import type { Store, Transaction } from '#base/store/store.ts'
import { type Happening, leaveInOutbox } from '../../outbox/outbox.ts'
import type { Installation } from '../installation.ts'

export interface NewOnes {
  installations: readonly Installation[]
  /** Registered for the first time: not known before, or known as a guest. */
  users: readonly { appId: number; userId: string }[]
}

export async function emitNew(tx: Transaction, store: Store, made: NewOnes, at: Date): Promise<void> {
  if (made.installations.length + made.users.length === 0) return
  const installations = made.installations.map(
    ({ appId, id, deviceType, userId, isGuest }): Happening => ({
      appId,
      kind: 'installation.new',
      at,
      body: { installationId: id, deviceType, userId, isGuest },
    }),
  )
  const users = made.users.map(({ appId, userId }): Happening => ({ appId, kind: 'user.new', at, body: { userId } }))
  await leaveInOutbox(tx, store, [...installations, ...users])
}
