import { type AnyEndpoint, type Checked, checker, type Endpoint } from '@peyk/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { RequestError } from '../../../base/errors.ts'
import type { RouteInput } from '../route.ts'

/** Checks body, query and path of an endpoint against its contract. */
export function inputChecker(endpoint: Endpoint) {
  const checkBody = endpoint.body ? bodyChecker(endpoint) : undefined
  const checkQuery = endpoint.query ? checker(endpoint.query) : undefined
  const checkParams = endpoint.params ? checker(endpoint.params) : undefined
  return (request: FastifyRequest, reply: FastifyReply): Omit<RouteInput<AnyEndpoint>, 'baseUrl'> => ({
    body: checkBody ? checkBody(request.body) : undefined,
    query: checkQuery ? acceptedValue<TSchema>(checkQuery(request.query)) : request.query,
    params: checkParams ? acceptedValue<TSchema>(checkParams(request.params)) : request.params,
    request,
    reply,
  })
}

function bodyChecker(endpoint: Endpoint): (body: unknown) => unknown {
  const checkOne = checker(endpoint.body as TSchema)
  const { maxBodies, onlyBodies } = endpoint
  return (body) => {
    if (body === undefined) throw new RequestError('invalid-request', 'The body is missing: expected JSON.')
    if (maxBodies === undefined || !(Array.isArray(body) || onlyBodies)) return acceptedValue(checkOne(body))
    if (!Array.isArray(body)) throw new RequestError('invalid-request', 'Expected an array as the body.')
    if (body.length === 0) throw new RequestError('invalid-request', 'The array is empty.')
    if (body.length > maxBodies) {
      throw new RequestError('too-large', `The array has ${body.length} elements; at most ${maxBodies} are allowed.`)
    }
    return body.map((element, index) => acceptedValue(checkOne(element), index))
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
