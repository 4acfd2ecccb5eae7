import { type AnyEndpoint, type Checked, checker, type Endpoint, type UnknownNamePolicy } from '@peyk/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { RequestError } from '#base/errors.ts'
import type { RouteInput } from '../route.ts'
import { namesOf, namesOfElement, UnknownNames } from './unknown-names.ts'

type CheckedInput = Omit<RouteInput<AnyEndpoint>, 'baseUrl'>

/** Checks body, query, and path against the endpoint's contract. Verbs receive only names that the contract knows. */
export function inputChecker(endpoint: Endpoint, policy: UnknownNamePolicy) {
  const checkBody = endpoint.body ? bodyChecker(endpoint) : withoutBody(endpoint)
  const checkQuery = endpoint.query && checker(endpoint.query)
  const checkParams = endpoint.params && checker(endpoint.params)
  const queryNames = namesOf(endpoint.query, 'query')
  return (request: FastifyRequest, reply: FastifyReply): CheckedInput => {
    const unknown = new UnknownNames(policy)
    unknown.takeFromQuery(queryNames, request.query)
    const body = checkBody(request.body, unknown)
    return {
      body,
      query: checkQuery ? acceptedValue<TSchema>(checkQuery(request.query)) : {},
      params: checkParams ? acceptedValue<TSchema>(checkParams(request.params)) : request.params,
      request,
      reply,
      unknown,
    }
  }
}

type BodyCheck = (body: unknown, unknown: UnknownNames) => unknown

function bodyChecker(endpoint: Endpoint): BodyCheck {
  const schema = endpoint.body as TSchema
  const checkOne = checker(schema)
  const namesOfBody = namesOf(schema, 'body')
  const namesOfEach = namesOfElement(schema)
  const { maxBodies, onlyBodies } = endpoint
  const accept = (body: unknown, unknown: UnknownNames, index?: number): unknown => {
    const names = index === undefined ? namesOfBody : namesOfEach
    const checked = checkOne(body)
    if (checked.fault && !checked.fault.isTooLarge) unknown.refuseInBody(names, body, index)
    const value = acceptedValue(checked, index)
    unknown.takeFromBody(names, value, index)
    return value
  }
  return (body, unknown) => {
    if (body === undefined) throw new RequestError('invalid-request', 'The body is missing: expected JSON.')
    if (maxBodies === undefined || !(Array.isArray(body) || onlyBodies)) return accept(body, unknown)
    if (!Array.isArray(body)) throw new RequestError('invalid-request', 'Expected an array as the body.')
    if (body.length === 0) throw new RequestError('invalid-request', 'The array is empty.')
    if (body.length > maxBodies) {
      throw new RequestError('too-large', `The array has ${body.length} elements; at most ${maxBodies} are allowed.`)
    }
    return body.map((element, index) => accept(element, unknown, index))
  }
}

/** Files and images have parsers of their own, which see no names except those of parts. */
function withoutBody({ file, image }: Endpoint): BodyCheck {
  const names = file || image ? undefined : namesOf(undefined, 'body')
  return (body, unknown) => {
    unknown.takeFromBody(names, body)
    return undefined
  }
}

function acceptedValue<S extends TSchema>(checked: Checked<S>, index?: number): unknown {
  if (!checked.fault) return checked.value
  const { field, message, isTooLarge } = checked.fault
  const prefix = index === undefined ? '' : `Element ${index}: `
  throw new RequestError(isTooLarge ? 'too-large' : 'invalid-request', prefix + message, {
    details: { field, ...(index !== undefined && { index }) },
  })
}
