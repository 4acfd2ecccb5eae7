import type { Phone } from '../phones/phone.ts'
import { PhoneError } from '../phones/phone-error.ts'
import type { NewPhone, PhoneView } from '../phones/phone-state.ts'
import type { Phones } from '../phones/phones.ts'
import { ControlError } from './control-error.ts'

export const simpleActs = ['tap', 'dismiss', 'open', 'close', 'offline', 'online', 'uninstall', 'reinstall'] as const

export type PhoneAct =
  | { act: (typeof simpleActs)[number]; messageId: string | undefined }
  | { act: 'action'; messageId: string; actionId: string }

/** Less than those wait who ask the simulator: they hear why it did not work. */
const registrationMs = 8_000

const statuses = { unknown: 404, wrong: 400, 'not-now': 409 } as const

export function getPhone(phones: Phones, id: string | undefined): Phone {
  const phone = phones.find(id ?? '')
  if (phone) return phone
  throw new ControlError(404, `There is no phone ${id}; GET /phones lists those there are.`)
}

/** Answers when the service knows the phone. One that it does not take is not there afterwards. */
export async function addPhone(phones: Phones, input: NewPhone): Promise<PhoneView> {
  const phone = getPhone(phones, phones.add(input).id)
  try {
    await phone.whenRegistered(registrationMs)
  } catch (error) {
    phones.remove(phone)
    throw new ControlError(409, `The phone was not added. ${(error as Error).message}`)
  }
  return phone.view()
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
