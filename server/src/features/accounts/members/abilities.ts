import type { Ability } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import type { Role } from './member-rules.ts'

/** Which roles may do what in the panel. */
export const abilities: Record<Ability, readonly Role[]> = {
  view: ['admin', 'marketer', 'analyst', 'support'],
  export: ['admin', 'marketer', 'analyst', 'support'],
  'send-to-one': ['admin', 'marketer', 'support'],
  'send-to-many': ['admin', 'marketer'],
  'edit-segments': ['admin', 'marketer'],
  'edit-campaigns': ['admin', 'marketer'],
  'edit-users': ['admin', 'marketer', 'support'],
  'delete-users': ['admin', 'support'],
  operate: ['admin', 'marketer'],
  settings: ['admin'],
}

export function abilitiesOf(role: Role): Ability[] {
  return (Object.keys(abilities) as Ability[]).filter((ability) => abilities[ability].includes(role))
}

/** For verbs that need more for some inputs than their route asks for. A back end's token may do everything. */
export function checkAbility({ member }: Pick<Context, 'member'>, ability: Ability): void {
  if (!member || (abilities[ability] as readonly string[]).includes(member.role)) return
  throw new RequestError(
    'wrong-role',
    `This needs the role ${abilities[ability].join(' or ')} in the app; ${member.email} is ${member.role}.`,
  )
}
