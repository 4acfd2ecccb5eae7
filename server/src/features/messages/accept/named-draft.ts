import type { Draft } from './draft-message.ts'

export interface NamedDraft extends Draft {
  userIds: string[]
  /**
   * The app's newest user change before the installations were looked up. Only for a message to several users that
   * depends on who they are; for a single user, the name says whom it is for.
   */
  userChange?: number
}
