import { RequestError } from '#base/errors.ts'
import type { AttributeOperation, AttributeValue } from './attribute-operation.ts'
import { readTypedValue } from './value-kind.ts'

/**
 * An attribute's value after an operation; undefined when it has none. An operation that does not go with the value
 * that is there is the caller's fault.
 */
export function applyAttribute(
  current: AttributeValue | undefined,
  operation: AttributeOperation,
): AttributeValue | undefined | RequestError {
  switch (operation.kind) {
    case 'set':
      return operation.value
    case 'unset':
      return undefined
    case 'increment':
      return increment(current, operation)
    case 'addToArray':
      return addToArray(current, operation)
    case 'removeFromArray':
      return Array.isArray(current) ? current.filter((item) => !operation.values.includes(item)) : current
  }
}

function increment(current: AttributeValue | undefined, { name, by }: { name: string; by: number }) {
  if (current !== undefined && typeof current !== 'number') return misfit(name, current, 'incremented')
  const sum = (current ?? 0) + by
  return Number.isFinite(sum) ? sum : fault(name, 'would become a number too large to keep')
}

/** A text that is in the list already is not added again, so that a repeated call changes nothing. */
function addToArray(current: AttributeValue | undefined, { name, values }: { name: string; values: string[] }) {
  if (current !== undefined && !Array.isArray(current)) return misfit(name, current, 'added to')
  return [...new Set([...(current ?? []), ...values])]
}

function misfit(name: string, current: AttributeValue, verb: string): RequestError {
  return fault(name, `holds a ${readTypedValue(current)?.kind}, which cannot be ${verb}`)
}

function fault(name: string, problem: string): RequestError {
  return new RequestError('invalid-request', `The attribute "${name}" ${problem}.`, { details: { field: name } })
}
