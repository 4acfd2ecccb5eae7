import type { Draft } from './draft-message.ts'

export interface NamedDraft extends Draft {
  userIds: string[]
}
