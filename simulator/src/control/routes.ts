import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Crowd } from '../crowd/crowd.ts'
import type { Service } from '../phones/call-service.ts'
import type { Phones } from '../phones/phones.ts'
import { permissions, phoneProviders, platforms } from '../phones/platform.ts'
import type { Providers } from '../providers/start-providers.ts'
import { httpUrl, mqttUrl, oneOf, optionalText, text, userId } from './check-input.ts'
import { readCrowdOfService, setCrowd } from './crowd-acts.ts'
import { describeProviders } from './describe-providers.ts'
import { actOnPhone, addPhone, getPhone, simpleActs } from './phone-acts.ts'
import { streamPhones } from './phone-stream.ts'
import {
  clearFaults,
  killTokens,
  listFaults,
  listReceived,
  makeTokens,
  setFaults,
  setRecordMode,
} from './provider-acts.ts'
import type { JsonObject } from './read-json.ts'

export interface ControlWorld {
  providers: Providers
  phones: Phones
  crowd: Crowd
  useService(service: Service): void
  /** Answers when everything up to now outlives this process. */
  stored(): Promise<void>
}

export interface ControlRequest {
  /** What stands in the place of each `:word`, in order. */
  words: string[]
  query: URLSearchParams
  body: JsonObject
  request: IncomingMessage
  response: ServerResponse
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  run(world: ControlWorld, request: ControlRequest): unknown
}

/** Every path of the simulator's own API. */
export const routes: readonly Route[] = [
  { method: 'GET', path: '/', run: () => ({ peykSimulator: routes.map(({ method, path }) => `${method} ${path}`) }) },

  { method: 'GET', path: '/phones', run: ({ phones }) => phones.list() },
  { method: 'GET', path: '/phones/stream', run: ({ phones }, to) => streamPhones(phones, to.request, to.response) },
  {
    method: 'POST',
    path: '/phones',
    run: ({ phones }, { body }) => {
      const platform = oneOf(body, 'platform', platforms)
      return addPhone(phones, {
        platform,
        userId: userId(body),
        permission: body.permission === undefined ? 'allowed' : oneOf(body, 'permission', permissions),
        ...(body.provider !== undefined && { provider: oneOf(body, 'provider', phoneProviders[platform]) }),
      })
    },
  },
  { method: 'GET', path: '/phones/:id', run: ({ phones }, { words: [id] }) => getPhone(phones, id).view() },
  { method: 'DELETE', path: '/phones/:id', run: ({ phones }, { words: [id] }) => phones.remove(getPhone(phones, id)) },
  ...simpleActs.map(
    (act): Route => ({
      method: 'POST',
      path: `/phones/:id/${act}`,
      run: ({ phones }, { words: [id], body }) =>
        actOnPhone(phones, id, { act, messageId: optionalText(body, 'messageId') }),
    }),
  ),
  {
    method: 'POST',
    path: '/phones/:id/action',
    run: ({ phones }, { words: [id], body }) =>
      actOnPhone(phones, id, {
        act: 'action',
        messageId: text(body, 'messageId'),
        actionId: text(body, 'actionId'),
      }),
  },

  { method: 'GET', path: '/crowd', run: ({ crowd }) => crowd.view() },
  { method: 'POST', path: '/crowd', run: ({ crowd }, { body }) => setCrowd(crowd, body) },

  { method: 'GET', path: '/faults', run: ({ providers }) => listFaults(providers) },
  {
    method: 'PUT',
    path: '/faults/:provider',
    run: ({ providers }, { words: [target], body }) => setFaults(providers, target, body),
  },
  { method: 'DELETE', path: '/faults', run: ({ providers }) => clearFaults(providers) },
  { method: 'GET', path: '/received', run: ({ providers }, { query }) => listReceived(providers, query) },
  { method: 'GET', path: '/received/counts', run: ({ providers }) => providers.record.countAll() },
  { method: 'GET', path: '/received/duplicates', run: ({ providers }) => providers.record.listDuplicates() },
  { method: 'DELETE', path: '/received', run: ({ providers }) => providers.record.clear() },
  { method: 'PUT', path: '/record', run: ({ providers }, { body }) => setRecordMode(providers, body) },
  { method: 'POST', path: '/tokens', run: ({ providers }, { body }) => makeTokens(providers, body) },
  { method: 'DELETE', path: '/tokens', run: ({ providers }, { body }) => killTokens(providers, body) },
  { method: 'GET', path: '/providers', run: ({ providers }) => describeProviders(providers) },
  {
    method: 'PUT',
    path: '/service',
    run: ({ useService }, { body }) =>
      useService({
        baseUrl: httpUrl(body, 'baseUrl'),
        clientKey: text(body, 'clientKey'),
        ...(body.mqttUrl !== undefined && { mqttUrl: mqttUrl(body, 'mqttUrl') }),
        ...(body.crowd !== undefined && { crowd: readCrowdOfService(body.crowd) }),
      }),
  },
]
