import Type from 'typebox'
import { defineEndpoint } from '../schema/endpoint.ts'
import { Days } from './overview.ts'

const group = 'Panel'

export const panelUsersFile = defineEndpoint({
  summary: 'All users as a file',
  group,
  answer: Type.Unknown(),
  example: { answer: 'userId,isGuest,createdAt,tags,attributes,installations' },
})

export const panelEventsFile = defineEndpoint({
  summary: 'Events of some days as a file',
  group,
  query: Type.Object({ days: Days }),
  answer: Type.Unknown(),
  example: { query: { days: '30' }, answer: 'time,id,eventName,eventTime,userId' },
})

export const panelDeliveriesFile = defineEndpoint({
  summary: 'The deliveries of a message as a file',
  group,
  params: Type.Object({ id: Type.String({ description: 'The id of the message.' }) }),
  answer: Type.Unknown(),
  example: {
    params: { id: '019a8b1d-0a1b-7c2d-9e3f-4a5b6c7d8e9f' },
    answer: 'time,messageId,installationId,userId,state',
  },
})
