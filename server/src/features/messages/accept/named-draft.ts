import type { Draft } from './draft-message.ts'

export interface NamedDraft extends Draft {
  userIds: string[]
  /**
   * The app's newest change of user before the installations were looked up. Only of a message to several users that
   * depends on who they are: with one, the name says whom it is for.
   */
  userChange?: number
}
