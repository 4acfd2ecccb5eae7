import { show } from '@peyk/contract'
import { RequestError } from '#base/errors.ts'
import { isUuid } from '#base/ids.ts'

export interface InstallationFilter {
  ids: string[] | undefined
  userIds: string[] | undefined
  limit: number
}

const maxNames = 1_000
const example = '{"where":{"id":{"inq":["…"]}}}'

/** The filter of `GET /installations`: ids, users or both, each as one value or as `{"inq":[…]}`. */
export function readFilter(text: string): InstallationFilter {
  const filter = parse(text)
  const where = filter.where
  if (!isObject(where)) throw fault('filter.where', `expected an object such as ${example}, got ${show(where)}`)
  const unknown = Object.keys(where).find((name) => name !== 'id' && name !== 'userId')
  if (unknown !== undefined) throw fault(`filter.where.${unknown}`, 'only "id" and "userId" can be asked for')
  const ids = readNames('id', where.id)
  const userIds = readNames('userId', where.userId)
  if (!ids && !userIds) throw fault('filter.where', `expected "id" or "userId", as in ${example}`)
  return {
    ids: ids && [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))],
    userIds,
    limit: readLimit(filter.limit),
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    const filter: unknown = JSON.parse(text)
    if (isObject(filter)) return filter
  } catch {
    // Falls through to the one error for both.
  }
  throw fault('filter', `expected JSON such as ${example}, got ${show(text)}`)
}

function readNames(name: string, condition: unknown): string[] | undefined {
  if (condition === undefined || condition === null) return undefined
  const list = isObject(condition) ? condition.inq : [condition]
  const field = `filter.where.${name}`
  if (!Array.isArray(list)) throw fault(field, `expected a value or {"inq":[…]}, got ${show(condition)}`)
  if (list.length > maxNames)
    throw new RequestError('too-large', `"${field}" has ${list.length} values; at most ${maxNames} are allowed.`)
  return list.map((item) => {
    const text = typeof item === 'number' ? String(item) : item
    if (typeof text !== 'string' || text.includes('\0') || !text.isWellFormed())
      throw fault(field, `expected texts, got ${show(item)}`)
    return text
  })
}

function readLimit(limit: unknown): number {
  const number = Number(limit ?? maxNames)
  if (!Number.isInteger(number) || number < 1)
    throw fault('filter.limit', `expected a whole number from 1, got ${show(limit)}`)
  return Math.min(number, maxNames)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fault(field: string, message: string): RequestError {
  return new RequestError('invalid-request', `"${field}": ${message}.`, { details: { field } })
}
