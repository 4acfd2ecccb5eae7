import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import type { AttributeValue, OwnerKind } from './attribute-operation.ts'

/** How many attributes an owner has, and the bytes of their names and values. */
export interface AttributeSize {
  count: number
  bytes: number
}

const most: Record<OwnerKind, AttributeSize> = {
  user: { count: limits.attributesPerUser, bytes: limits.attributeBytesPerUser },
  installation: { count: limits.attributesPerInstallation, bytes: limits.attributeBytesPerInstallation },
}

/** Counts a change in. A value that grows beyond its limit is refused; one that shrinks never is. */
export function resizeAttributes(
  size: AttributeSize,
  name: string,
  before: AttributeValue | undefined,
  after: AttributeValue | undefined,
): RequestError | undefined {
  const valueBytes = bytesOf(after)
  const growth = bytesWith(name, after) - bytesWith(name, before)
  size.bytes += growth
  size.count += Number(after !== undefined) - Number(before !== undefined)
  if (growth <= 0 || valueBytes <= limits.attributeValueBytes) return undefined
  const text = `The attribute "${name}" would take ${valueBytes} bytes as JSON; ${limits.attributeValueBytes} are allowed.`
  return new RequestError('too-large', text, { details: { field: name } })
}

/** After all changes of a call, whatever their order. An owner with too much from before may have less. */
export function checkAttributeSize(
  owner: OwnerKind,
  before: AttributeSize,
  after: AttributeSize,
): RequestError | undefined {
  const { count, bytes } = most[owner]
  if (after.count > count && after.count > before.count)
    return new RequestError('limit-reached', `The ${owner} would have more than ${count} attributes.`)
  if (after.bytes > bytes && after.bytes > before.bytes)
    return new RequestError('limit-reached', `The attributes of the ${owner} would take more than ${bytes} bytes.`)
  return undefined
}

function bytesOf(value: AttributeValue | undefined): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value))
}

function bytesWith(name: string, value: AttributeValue | undefined): number {
  return value === undefined ? 0 : Buffer.byteLength(name) + bytesOf(value)
}
