import Type from 'typebox'
import { defineEndpoint } from './schema/endpoint.ts'
import { Count, Tag, UserId, warningFields } from './schema/words.ts'

const noNul = '^[^\\u0000]*$'
const group = 'Tags'
const OwnInstallation = Type.Optional(
  Type.String({
    maxLength: 255,
    expected: 'an installation id',
    description: 'An installation of the user: a client key needs it when the app verifies identities.',
  }),
)
const TagCount = Type.Object({ ...Count.properties, ...warningFields() })
const TagPath = Type.Object({ userId: UserId, tag: Tag })
const TagList = Type.Object({
  userId: UserId,
  tags: Type.Array(Tag, { maxItems: 1_000, tooMany: 'tags', expected: 'an array of tags' }),
  installationId: OwnInstallation,
})
const oneTag = { params: { userId: 'ali', tag: 'vip' }, answer: { count: 2 } }
const twoTags = { body: { userId: 'ali', tags: ['vip', 'beta'] }, answer: { count: 2 } }

export const addTag = defineEndpoint({
  summary: 'Add one tag',
  group,
  section: '44-add-and-remove-tags',
  params: TagPath,
  answer: TagCount,
  example: oneTag,
})

export const addTags = defineEndpoint({
  summary: 'Add several tags',
  group,
  section: '44-add-and-remove-tags',
  body: TagList,
  answer: TagCount,
  example: twoTags,
})

export const addValueTag = defineEndpoint({
  summary: 'Add a key/value tag, or change its value',
  group,
  section: '44-add-and-remove-tags',
  body: Type.Object({
    userId: UserId,
    tag: Tag,
    value: Type.String({ maxLength: 255, expected: 'a value of at most 255 characters' }),
    installationId: OwnInstallation,
  }),
  answer: TagCount,
  example: { body: { userId: 'ali', tag: 'city', value: 'tehran' }, answer: { count: 2 } },
})

export const removeTag = defineEndpoint({
  summary: 'Remove one tag',
  group,
  section: '44-add-and-remove-tags',
  params: TagPath,
  answer: TagCount,
  example: oneTag,
})

export const removeTags = defineEndpoint({
  summary: 'Remove several tags',
  group,
  section: '44-add-and-remove-tags',
  body: TagList,
  answer: TagCount,
  example: twoTags,
})

export const removeValueTag = defineEndpoint({
  summary: 'Remove a key/value tag',
  group,
  section: '44-add-and-remove-tags',
  body: Type.Object({ userId: UserId, tag: Tag, installationId: OwnInstallation }),
  answer: TagCount,
  example: { body: { userId: 'ali', tag: 'city' }, answer: { count: 2 } },
})

export const tags = defineEndpoint({
  summary: 'List the names of all tags',
  description: 'In alphabetical order of their bytes. `after` is the last name of the page before.',
  group,
  query: Type.Object({
    prefix: Type.Optional(Type.String({ maxLength: 255, pattern: noNul, expected: 'the beginning of a tag' })),
    after: Type.Optional(Type.String({ maxLength: 255, pattern: noNul, expected: 'a tag' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100000, expected: 'a whole number from 1 to 100000', default: 100000 }),
    ),
  }),
  answer: Type.Array(Type.String()),
  example: { query: { prefix: 'v' }, answer: ['vegan', 'vip'] },
})

export const tagsOfUser = defineEndpoint({
  summary: 'List the tags of a user',
  group,
  params: Type.Object({ userId: UserId }),
  query: Type.Object({ installationId: OwnInstallation }),
  answer: Type.Array(Type.String()),
  example: { params: { userId: 'ali' }, answer: ['city', 'vip'] },
})

export const channels = defineEndpoint({
  summary: 'List the public channels',
  description: 'With the number of their installations, the largest first. Everybody is on `default`.',
  group,
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10000, expected: 'a whole number from 1 to 10000', default: 1000 }),
    ),
  }),
  answer: Type.Array(Type.Object({ channel: Type.String(), count: Type.Integer() })),
  example: {
    answer: [
      { channel: 'default', count: 812 },
      { channel: 'news', count: 96 },
    ],
  },
})
