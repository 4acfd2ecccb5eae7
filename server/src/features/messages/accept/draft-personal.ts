import type { PersonalNotification } from '@peyk/contract'
import { takeTurns } from '#base/concurrency/turns.ts'
import { RequestError } from '#base/errors.ts'
import { readUsers } from '../send/read-receivers.ts'
import { type Acceptance, type Draft, draftMessage } from './draft-message.ts'
import { nameElement } from './name-element.ts'

export interface PersonalDraft extends Draft {
  /** Undefined for everybody on the public channel. */
  userIds: string[] | undefined
}

export function draftPersonal(sent: PersonalNotification, acceptance: Acceptance): PersonalDraft {
  const userIds = readUsers(sent)
  const draft = draftMessage(sent, acceptance)
  if (userIds === undefined && draft.channel.isPrivate) {
    throw new RequestError('invalid-request', '"channel": expected a public channel for user "*", got a private one.', {
      details: { field: 'channel' },
    })
  }
  if (userIds === undefined && draft.body.fallback) {
    throw new RequestError('invalid-request', '"fallback" needs specific users: an SMS does not go to everybody.', {
      details: { field: 'fallback' },
    })
  }
  return { ...draft, userIds }
}

/** All of an array's elements, or the fault of the first bad one with its index. Others get their turn in between. */
export async function draftElements(sent: PersonalNotification[], acceptance: Acceptance): Promise<PersonalDraft[]> {
  const drafts: PersonalDraft[] = []
  const nextTurn = takeTurns()
  for (const [index, element] of sent.entries()) {
    await nextTurn()
    drafts.push(nameElement(index, () => draftPersonal(element, acceptance)))
  }
  return drafts
}
