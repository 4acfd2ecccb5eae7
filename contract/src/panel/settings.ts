import Type, { type Static } from 'typebox'
import { defineEndpoint } from '../schema/endpoint.ts'
import { Name } from '../schema/words.ts'
import { Role } from './session.ts'

const group = 'Panel: settings'

const Moment = Type.Integer({ description: 'Epoch milliseconds.' })
const Id = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64, expected: 'an id' }) })
const Origins = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
  maxItems: 100,
  expected: 'a list of origins such as https://shop.example',
})

const Token = Type.Object({
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  origins: Type.Optional(Type.Array(Type.String(), { description: 'Client keys: the pages that may use it.' })),
  createdAt: Moment,
  lastUsedOn: Type.Optional(Type.String({ description: 'A day (UTC).' })),
  expiresAt: Type.Optional(Moment),
})
export type PanelToken = Static<typeof Token>

const NewToken = Type.Object({
  ...Token.properties,
  secret: Type.String({ description: 'The token itself. It is shown this once.' }),
})
export type PanelNewToken = Static<typeof NewToken>

const token = {
  id: '1f0c5b8e-1a7d-4693-8e85-1b6a2d97348b',
  name: 'back end',
  scopes: ['server'],
  createdAt: 1_794_700_800_000,
}
const tokenParams = { id: token.id }

export const panelTokens = defineEndpoint({
  summary: 'List access tokens and client keys',
  group,
  answer: Type.Array(Token),
  example: { answer: [{ ...token, lastUsedOn: '2026-11-14' }] },
})

export const panelCreateToken = defineEndpoint({
  summary: 'Make an access token or a client key',
  group,
  body: Type.Object({
    name: Name('a name of 1 to 255 bytes'),
    scopes: Type.Array(Type.String({ maxLength: 20 }), { minItems: 1, maxItems: 10, expected: 'a list of scopes' }),
    origins: Type.Optional(Origins),
    expiresAt: Type.Optional(Type.Integer({ expected: 'epoch milliseconds' })),
  }),
  answer: NewToken,
  example: {
    body: { name: token.name, scopes: token.scopes },
    answer: { ...token, secret: '5f0c2b9a1e5f0c2b9a1e5f0c2b9a1e5f0c2b9a1e' },
  },
})

export const panelChangeOrigins = defineEndpoint({
  summary: 'Change the pages that may use a client key',
  description: 'An empty list lets every page use it. Takes effect within a second.',
  group,
  params: Id,
  body: Type.Object({ origins: Origins }),
  answer: Token,
  example: {
    params: tokenParams,
    body: { origins: ['https://shop.example'] },
    answer: { ...token, scopes: ['client'], origins: ['https://shop.example'] },
  },
})

export const panelRevokeToken = defineEndpoint({
  summary: 'Revoke an access token or a client key',
  group,
  params: Id,
  answer: Type.Object({ id: Type.String(), name: Type.String(), revokedAt: Moment }),
  example: { params: tokenParams, answer: { id: token.id, name: token.name, revokedAt: 1_794_787_200_000 } },
})

const Retention = Type.Object({
  eventsDays: Type.Integer({ description: 'Events stay so many days.' }),
  deliveriesDays: Type.Integer({ description: 'Messages, their deliveries and receipts stay so many days.' }),
  usual: Type.Object({ eventsDays: Type.Integer(), deliveriesDays: Type.Integer() }),
})
export type PanelRetention = Static<typeof Retention>

const Days = Type.Integer({ minimum: 1, maximum: 3650, expected: 'a whole number of days from 1 to 3650' })
const usual = { eventsDays: 400, deliveriesDays: 90 }

export const panelRetention = defineEndpoint({
  summary: 'Read how long events and deliveries are kept',
  group,
  answer: Retention,
  example: { answer: { ...usual, usual } },
})

export const panelChangeRetention = defineEndpoint({
  summary: 'Change how long events and deliveries are kept',
  description: 'What is older than that is deleted within a day.',
  group,
  body: Type.Object({ eventsDays: Type.Optional(Days), deliveriesDays: Type.Optional(Days) }),
  answer: Retention,
  example: { body: { eventsDays: 200 }, answer: { ...usual, eventsDays: 200, usual } },
})

const Member = Type.Object({
  id: Type.String(),
  email: Type.String(),
  role: Role,
  createdAt: Moment,
  lastSeenAt: Type.Optional(Moment),
  isYou: Type.Boolean(),
})
export type PanelMember = Static<typeof Member>

const Link = Type.Object({
  secret: Type.String({ description: 'The key of a link that signs in once: /panel/enter#<key>. Shown this once.' }),
  expiresAt: Moment,
})
export type PanelLink = Static<typeof Link>

const member = {
  id: '7d2e4a65-3f9a-4c0b-9b1e-60f4c5d7a902',
  email: 'ali@shop.example',
  role: 'marketer' as const,
  createdAt: 1_794_700_800_000,
  isYou: false,
}
const memberParams = { id: member.id }
const link = { secret: 'wq3Yd0uZ8m1oJrT5vXc2bNf7hGk4sLpQeAiU6yRtMnE', expiresAt: 1_794_787_200_000 }

export const panelMembers = defineEndpoint({
  summary: 'List the members of the app',
  group,
  answer: Type.Array(Member),
  example: { answer: [member] },
})

export const panelInviteMember = defineEndpoint({
  summary: 'Let somebody use the panel of the app',
  description:
    'They get a link that signs in to this app once, for 24 hours, and choose a password for it. What they use for another app does not open this one; their sessions end.',
  group,
  body: Type.Object({
    email: Type.String({ minLength: 1, maxLength: 255, expected: 'an email address' }),
    role: Role,
  }),
  answer: Type.Object({ id: Type.String(), email: Type.String(), role: Role, ...Link.properties }),
  example: {
    body: { email: member.email, role: member.role },
    answer: { id: member.id, email: member.email, role: member.role, ...link },
  },
})

export const panelMemberLink = defineEndpoint({
  summary: 'Make a new sign-in link for a member',
  description: 'It opens this app, and no other that the member belongs to.',
  group,
  params: Id,
  answer: Type.Object({ email: Type.String(), ...Link.properties }),
  example: { params: memberParams, answer: { email: member.email, ...link } },
})

export const panelChangeRole = defineEndpoint({
  summary: 'Change the role of a member',
  group,
  params: Id,
  body: Type.Object({ role: Role }),
  answer: Type.Object({ id: Type.String(), email: Type.String(), role: Role }),
  example: {
    params: memberParams,
    body: { role: 'analyst' },
    answer: { id: member.id, email: member.email, role: 'analyst' },
  },
})

export const panelRemoveMember = defineEndpoint({
  summary: 'Remove a member from the app',
  group,
  params: Id,
  answer: Type.Object({ id: Type.String(), email: Type.String() }),
  example: { params: memberParams, answer: { id: member.id, email: member.email } },
})

const AuditEntry = Type.Object({
  id: Type.String(),
  at: Moment,
  email: Type.String({ description: 'Of the member; the name of the token when an access token did it.' }),
  isToken: Type.Optional(Type.Literal(true)),
  action: Type.String({ description: 'Method and path under the app, such as "DELETE /tokens/:id".' }),
  subject: Type.Optional(Type.String()),
  details: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
})
export type PanelAuditEntry = Static<typeof AuditEntry>

const AuditPage = Type.Object({
  data: Type.Array(AuditEntry),
  cursor: Type.Optional(Type.String({ description: 'For the next page, when there is one.' })),
})
export type PanelAuditPage = Static<typeof AuditPage>

export const panelAudit = defineEndpoint({
  summary: 'Read what members did, newest first',
  group,
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, expected: 'a whole number from 1 to 200' })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 20, description: 'Of the page before.' })),
  }),
  answer: AuditPage,
  example: {
    query: { limit: '1' },
    answer: {
      data: [
        {
          id: '812',
          at: 1_794_700_812_345,
          email: 'sara@shop.example',
          action: 'DELETE /tokens/:id',
          subject: token.id,
          details: { name: token.name },
        },
      ],
      cursor: '812',
    },
  },
})
