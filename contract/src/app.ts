import Type from 'typebox'
import { defineEndpoint } from './endpoint.ts'
import { Name } from './words.ts'

const group = 'The app'

const OwnApp = Type.Object({
  appId: Type.String(),
  name: Type.String({ description: 'The title of notifications that have none.' }),
  defaultNotificationText: Type.Optional(
    Type.String({ description: 'The text of notifications for which the message has none.' }),
  ),
  defaultIcon: Type.Optional(Type.String({ description: 'The icon of notifications that have none.' })),
  allowUserMessages: Type.Boolean({ description: 'Users may send messages to each other over the own connection.' }),
})

const example = {
  appId: 'shop',
  name: 'My shop',
  defaultNotificationText: 'There is news for you.',
  defaultIcon: 'https://shop.example/icon.png',
  allowUserMessages: false,
}

export const getApp = defineEndpoint({
  summary: 'Read the app that the access token belongs to',
  group,
  answer: OwnApp,
  example: { answer: example },
})

export const changeApp = defineEndpoint({
  summary: 'Change the name and the defaults of the app',
  description: 'What is not given stays as it is; an empty text takes a default away.',
  group,
  body: Type.Object({
    name: Type.Optional(Name('a name of 1 to 255 bytes')),
    defaultNotificationText: Type.Optional(
      Type.String({ maxLength: 1000, expected: 'a text of at most 1000 characters' }),
    ),
    defaultIcon: Type.Optional(
      Type.String({ maxLength: 2000, expected: 'a link or a name of at most 2000 characters' }),
    ),
    allowUserMessages: Type.Optional(Type.Boolean({ expected: 'true or false' })),
  }),
  answer: OwnApp,
  example: {
    body: { name: example.name, defaultNotificationText: example.defaultNotificationText },
    answer: example,
  },
})
