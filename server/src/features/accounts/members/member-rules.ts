import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'

export const roles = ['admin', 'marketer', 'analyst', 'support'] as const
export type Role = (typeof roles)[number]

/** Stands in place of a hash until somebody who was invited has chosen a password. */
export const noPassword = 'none'

const passwordCharacters = { min: 10, max: 200 }

export function checkRole(role: string): Role {
  const found = roles.find((known) => known === role)
  if (!found) throw new RequestError('invalid-request', `Unknown role "${role}"; expected ${roles.join(', ')}.`)
  return found
}

/** Addresses are compared in lower case: nobody has two accounts by the case of a letter. */
export function checkEmail(email: string): string {
  const address = email.trim().toLowerCase()
  if (
    !/^[^\s@,;:<>"\\]+@[^\s@,;:<>"\\]+\.[^\s@,;:<>"\\.]+$/.test(address) ||
    Buffer.byteLength(address) > limits.nameBytes ||
    !address.isWellFormed()
  ) {
    throw new RequestError('invalid-request', `Expected an email address, got "${email.slice(0, 60)}".`)
  }
  return address
}

export function checkPassword(password: string): string {
  const { min, max } = passwordCharacters
  if (password.length < min || password.length > max) {
    throw new RequestError(
      'invalid-request',
      `Expected a password of ${min} to ${max} characters, got ${password.length}.`,
    )
  }
  return password
}
