import Type, { type Static } from 'typebox'
import { defineEndpoint } from '../schema/endpoint.ts'
import { InstallationId, UserId } from '../schema/words.ts'

const categories = 'Categories'
const preferences = 'Preferences'

/** It is exempt from caps, quiet hours, preferences and the control group, and so is a message without a category. */
export const transactional = 'transactional'

export const CategoryId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[a-z0-9][a-z0-9._-]*$',
  expected: 'a category id of 1 to 64 characters: a to z, digits, ".", "_" and "-"',
})

const languageTag = '^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$'

const Texts = (maxLength: number, description: string) =>
  Type.Record(
    Type.String({ pattern: languageTag }),
    Type.String({ minLength: 1, maxLength, expected: `a text of 1 to ${maxLength} characters` }),
    {
      minProperties: 1,
      maxProperties: 20,
      expected: 'an object of texts by language, such as {"en": "News", "fa": "خبرها"}',
      description,
    },
  )

const Category = Type.Object({
  id: Type.String({ description: 'What `category` of a send names. It never changes.' }),
  name: Texts(100, 'What users read, by language.'),
  description: Type.Optional(Texts(300, 'A sentence about it, by language.')),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
})
export type Category = Static<typeof Category>

const Id = Type.Object({ id: Type.String({ description: 'The id of a category.' }) })

const saved = {
  id: 'news',
  name: { en: 'News', fa: 'خبرها' },
  description: { en: 'What is new in the shop, once a week at most.' },
  createdAt: 1_794_700_800_000,
}

export const createCategory = defineEndpoint({
  summary: 'Create a category',
  description:
    'A category says what kind of message it is to the user. Caps, quiet hours, preferences and the control group hold for messages that have one; a message without one, and one of the category `transactional`, which always exists, is exempt. Names and sentences are what users read where they choose what they want.',
  group: categories,
  body: Type.Object({
    id: CategoryId,
    name: Texts(100, 'What users read, by language. The first one is for all other languages.'),
    description: Type.Optional(Texts(300, 'A sentence about it, by language.')),
  }),
  answer: Category,
  example: { body: { id: saved.id, name: saved.name, description: saved.description }, answer: saved },
})

export const listCategories = defineEndpoint({
  summary: 'List categories, oldest first',
  group: categories,
  answer: Type.Object({ data: Type.Array(Category) }),
  example: { answer: { data: [saved] } },
})

export const replaceCategory = defineEndpoint({
  summary: 'Change a category',
  description: 'What is not given stays as it is.',
  group: categories,
  params: Id,
  body: Type.Object({
    name: Type.Optional(Texts(100, 'What users read, by language.')),
    description: Type.Optional(Texts(300, 'A sentence about it, by language.')),
  }),
  answer: Category,
  example: { params: { id: saved.id }, body: { name: saved.name }, answer: saved },
})

export const deleteCategory = defineEndpoint({
  summary: 'Delete a category',
  description:
    'Users’ choices about it go too. Messages that were accepted with it keep it: caps and quiet hours still hold for them. The category of sends to groups (`groupCategory` of the app) is not deleted: 409 `in-use`.',
  group: categories,
  params: Id,
  answer: Type.Object({ id: Type.String() }),
  example: { params: { id: saved.id }, answer: { id: saved.id } },
})

const Choices = Type.Object({
  all: Type.Boolean({ description: 'false: nothing but transactional messages, whatever is chosen below.' }),
  categories: Type.Record(Type.String(), Type.Boolean(), {
    description: 'For each category of the app whether the user wants it. True unless they said otherwise.',
  }),
})
export type Preferences = Static<typeof Choices>

const ChoicesChange = Type.Object(
  {
    all: Type.Optional(Type.Boolean({ expected: 'true or false' })),
    categories: Type.Optional(
      Type.Record(Type.String(), Type.Boolean({ expected: 'true or false' }), {
        maxProperties: 100,
        expected: 'an object of category ids with true or false',
      }),
    ),
  },
  { expected: 'an object with "all" or "categories"' },
)
export type PreferencesChange = Static<typeof ChoicesChange>

const choices = { all: true, categories: { news: false, orders: true } }
const change = { categories: { news: false } }
const installationId = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const asked =
  'What is not given stays as it is. Messages of a category that the user does not want end as `unsubscribed`, also those that were accepted before and have not gone yet.'

const url = 'https://push.example.com/preferences/2UqX1r…'
const Link = Type.String({
  description:
    'The page on which the user can change them, for whoever has this address. Put it into a message or a page of yours.',
})

export const getPreferences = defineEndpoint({
  summary: 'Read which messages a user wants',
  description: 'A user of whom nothing is known wants everything.',
  group: preferences,
  params: Type.Object({ userId: UserId }),
  answer: Type.Object({ ...Choices.properties, url: Link }),
  example: { params: { userId: 'sara' }, answer: { ...choices, url } },
})

export const changePreferences = defineEndpoint({
  summary: 'Change which messages a user wants',
  description: `${asked} It is kept for users who are not known yet, too.`,
  group: preferences,
  params: Type.Object({ userId: UserId }),
  body: ChoicesChange,
  answer: Choices,
  example: { params: { userId: 'sara' }, body: change, answer: choices },
})

export const getOwnPreferences = defineEndpoint({
  summary: 'Read which messages the user of an installation wants',
  description: 'For client keys. With each category come its name and its sentence, as users read them.',
  group: preferences,
  params: Type.Object({ id: InstallationId }),
  answer: Type.Object({
    ...Choices.properties,
    offered: Type.Array(Type.Omit(Category, ['createdAt']), { description: 'The categories of the app.' }),
  }),
  example: {
    params: { id: installationId },
    answer: { ...choices, offered: [{ id: saved.id, name: saved.name, description: saved.description }] },
  },
})

export const changeOwnPreferences = defineEndpoint({
  summary: 'Change which messages the user of an installation wants',
  description: `For client keys. ${asked}`,
  group: preferences,
  params: Type.Object({ id: InstallationId }),
  body: ChoicesChange,
  answer: Choices,
  example: { params: { id: installationId }, body: change, answer: choices },
})
