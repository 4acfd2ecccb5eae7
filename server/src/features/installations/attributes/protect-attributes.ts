import type { AttributeOperation, AttributeValue } from './attribute-operation.ts'

interface Attribute {
  name: string
  value: AttributeValue | undefined
  isUnverified: boolean
}

/**
 * [users-and-events.md#attributes] The numbers that SMS go to. A number that the back end gave is not a stranger's to
 * change.
 */
const protectedNames = new Set(['phone'])

/** Whether only the back end, or a client whose user is verified, may change it. */
export function isProtected({ name, value, isUnverified }: Attribute): boolean {
  return protectedNames.has(name) && value !== undefined && !isUnverified
}

/**
 * Whether the value may be anybody's after an operation. What is made of an earlier value stays that one's: otherwise
 * adding nothing to a number would make it readable.
 */
export function setterAfter(
  before: Pick<Attribute, 'value' | 'isUnverified'>,
  operation: AttributeOperation,
  isUnverified: boolean,
): boolean {
  if (operation.kind === 'unset') return false
  return operation.kind === 'set' || before.value === undefined ? isUnverified : before.isUnverified
}

export function sayProtected(name: string): string {
  return `"${name}" was set by the back end and stays as it is: while the app does not verify identities, a client key cannot change it.`
}
