import { limits } from '../../base/config.ts'
import { RequestError } from '../../base/errors.ts'
import type { AttributeValue } from './attribute-operation.ts'
import type { OwnerKind } from './attributes-store.ts'

/** How many attributes an owner has, and the bytes of their names and values. */
export interface AttributeSize {
  count: number
  bytes: number
}

const most: Record<OwnerKind, AttributeSize> = {
  user: { count: limits.attributesPerUser, bytes: limits.attributeBytesPerUser },
  installation: { count: limits.attributesPerInstallation, bytes: limits.attributeBytesPerInstallation },
}

/** Counts a change in. What grows beyond its limit is refused; what shrinks never is, however large it was before. */
export function resizeAttributes(
  size: AttributeSize,
  owner: OwnerKind,
  name: string,
  before: AttributeValue | undefined,
  after: AttributeValue | undefined,
): RequestError | undefined {
  const valueBytes = bytesOf(after)
  const growth = bytesWith(name, after) - bytesWith(name, before)
  size.bytes += growth
  if (before === undefined && after !== undefined) size.count++
  if (before !== undefined && after === undefined) size.count--
  if (growth <= 0) return undefined
  const details = { field: name }
  if (valueBytes > limits.attributeValueBytes) {
    const text = `The attribute "${name}" would take ${valueBytes} bytes as JSON; ${limits.attributeValueBytes} are allowed.`
    return new RequestError('too-large', text, { details })
  }
  const { count, bytes } = most[owner]
  if (size.count > count && before === undefined)
    return new RequestError('limit-reached', `The ${owner} would have more than ${count} attributes.`, { details })
  if (size.bytes > bytes)
    return new RequestError('limit-reached', `The attributes of the ${owner} would take more than ${bytes} bytes.`, {
      details,
    })
  return undefined
}

function bytesOf(value: AttributeValue | undefined): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value))
}

function bytesWith(name: string, value: AttributeValue | undefined): number {
  return value === undefined ? 0 : Buffer.byteLength(name) + bytesOf(value)
}
