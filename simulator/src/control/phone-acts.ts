import type { Phone } from '../phones/phone.ts'
import { PhoneError } from '../phones/phone-error.ts'
import type { PhoneView } from '../phones/phone-state.ts'
import type { Phones } from '../phones/phones.ts'
import { ControlError } from './control-error.ts'

export const simpleActs = ['tap', 'dismiss', 'open', 'close', 'offline', 'online', 'uninstall', 'reinstall'] as const

export type PhoneAct =
  | { act: (typeof simpleActs)[number]; messageId: string | undefined }
  | { act: 'action'; messageId: string; actionId: string }

const statuses = { unknown: 404, wrong: 400, 'not-now': 409 } as const

export function getPhone(phones: Phones, id: string | undefined): Phone {
  const phone = phones.find(id ?? '')
  if (phone) return phone
  throw new ControlError(404, `There is no phone ${id}; GET /phones lists those there are.`)
}

/** Answers the phone as it is then. */
export function actOnPhone(phones: Phones, id: string | undefined, input: PhoneAct): PhoneView {
  const phone = getPhone(phones, id)
  try {
    perform(phone, input)
  } catch (error) {
    if (error instanceof PhoneError) throw new ControlError(statuses[error.kind], error.message)
    throw error
  }
  return phone.view()
}

function perform(phone: Phone, input: PhoneAct): void {
  if (input.act === 'action') phone.takeAction(input.messageId, input.actionId)
  else if (input.act === 'tap') phone.tap(input.messageId)
  else if (input.act === 'dismiss') phone.dismiss(input.messageId)
  else phone[stateChanges[input.act]]()
}

const stateChanges = {
  open: 'openApp',
  close: 'closeApp',
  offline: 'goOffline',
  online: 'goOnline',
  uninstall: 'uninstall',
  reinstall: 'reinstall',
} as const
