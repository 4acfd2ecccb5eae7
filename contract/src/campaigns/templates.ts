import Type, { type Static } from 'typebox'
import { AnyNotification, TemplateId } from '../message-body.ts'
import { defineEndpoint } from '../schema/endpoint.ts'
import { WantedValue } from '../schema/values.ts'

const group = 'Templates'

const { content, alertText, data, notification, fallback, ttl, ...others } = AnyNotification.properties
const { contents, inApp, live, autoNotify, useAsAlert, silent, category, quietHours, whenCapped } = others

export const TemplateMessage = Type.Object(
  {
    ...{ content, alertText, data, notification, fallback, contents, ttl, inApp, live, autoNotify, useAsAlert, silent },
    ...{ category, quietHours, whenCapped },
  },
  { expected: 'a message object', description: 'What a send takes, without whom it goes to.' },
)
export type TemplateMessage = Static<typeof TemplateMessage>

const Template = Type.Object({
  id: Type.String({ description: 'What `templateId` of a send names. It never changes.' }),
  name: Type.String(),
  message: TemplateMessage,
  values: Type.Optional(
    Type.Array(WantedValue, {
      description: 'What its texts ask for as `{{ values.name }}`, and a send gives. Absent when they ask for none.',
    }),
  ),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  updatedAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  updatedBy: Type.Optional(Type.String({ description: 'Who changed it last. Only members are told, in the panel.' })),
})
export type Template = Static<typeof Template>

export const TemplateName = Type.String({
  maxLength: 100,
  pattern: '\\S',
  expected: 'a name of 1 to 100 characters',
})

const Id = Type.Object({
  id: Type.String({ pattern: '^[^\\u0000]+$', expected: 'the id of a template', description: 'The id of a template.' }),
})

const saved = {
  id: 'order-sent',
  name: 'Order sent',
  message: {
    content: 'Order {{ values.orderId }} is on its way, {{ user.firstName | default: "friend" }}',
    notification: { title: 'On its way', clickUrl: 'https://shop.example/orders' },
    category: 'orders',
  },
  values: [{ name: 'orderId', required: true }],
  createdAt: 1_794_700_800_000,
  updatedAt: 1_794_700_800_000,
}

export const createTemplate = defineEndpoint({
  summary: 'Save a template',
  description:
    'A template is a message without recipients. A send that names it by `templateId` says only what differs. It is checked as a send is. Without `id` one is made from the name; id and name are the app’s only ones.',
  group,
  body: Type.Object({ id: Type.Optional(TemplateId), name: TemplateName, message: TemplateMessage }),
  answer: Template,
  example: { body: { id: saved.id, name: saved.name, message: saved.message }, answer: saved },
})

export const listTemplates = defineEndpoint({
  summary: 'List templates, newest first',
  group,
  query: Type.Object({
    search: Type.Optional(
      Type.String({ maxLength: 100, expected: 'a part of a name or id, of at most 100 characters' }),
    ),
    cursor: Type.Optional(Type.String({ description: 'The `cursor` of the page before.' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        expected: 'a whole number from 1 to 100',
        description: '25 by default.',
      }),
    ),
  }),
  answer: Type.Object({
    data: Type.Array(Template),
    cursor: Type.Optional(Type.String({ description: 'Asks for the next page; absent on the last one.' })),
  }),
  example: { query: { search: 'order' }, answer: { data: [saved] } },
})

export const getTemplate = defineEndpoint({
  summary: 'Read a template',
  group,
  params: Id,
  answer: Template,
  example: { params: { id: saved.id }, answer: saved },
})

export const replaceTemplate = defineEndpoint({
  summary: 'Change a template',
  description:
    'Without `name` or `message` it keeps the one it has. Messages that were sent with it before keep their text.',
  group,
  params: Id,
  body: Type.Object({ name: Type.Optional(TemplateName), message: Type.Optional(TemplateMessage) }),
  answer: Template,
  example: { params: { id: saved.id }, body: { message: saved.message }, answer: saved },
})

export const deleteTemplate = defineEndpoint({
  summary: 'Delete a template',
  group,
  params: Id,
  answer: Type.Object({ id: Type.String(), name: Type.String() }),
  example: { params: { id: saved.id }, answer: { id: saved.id, name: saved.name } },
})
