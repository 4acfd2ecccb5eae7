import Type, { type Static } from 'typebox'
import { defineEndpoint } from '../schema/endpoint.ts'

const group = 'Panel'

/** What a member may do. Which role may what is the server's to say. */
export const Ability = Type.Union([
  Type.Literal('view'),
  Type.Literal('export'),
  Type.Literal('send-to-one'),
  Type.Literal('send-to-many'),
  Type.Literal('edit-segments'),
  Type.Literal('edit-campaigns'),
  Type.Literal('edit-users'),
  Type.Literal('delete-users'),
  Type.Literal('operate'),
  Type.Literal('settings'),
])
export type Ability = Static<typeof Ability>

export const Role = Type.Union(
  [Type.Literal('admin'), Type.Literal('marketer'), Type.Literal('analyst'), Type.Literal('support')],
  { expected: 'admin, marketer, analyst or support' },
)
export type Role = Static<typeof Role>

const Session = Type.Object({
  member: Type.Object({ email: Type.String() }),
  apps: Type.Array(
    Type.Object({
      appId: Type.String(),
      name: Type.String(),
      role: Role,
      may: Type.Array(Ability),
      hasPhones: Type.Boolean({ description: 'Its users have virtual phones: the demo app in development.' }),
    }),
  ),
  mode: Type.Union([Type.Literal('development'), Type.Literal('production')]),
  publicUrl: Type.Optional(
    Type.String({ description: 'Where clients and members reach the service: PEYK_PUBLIC_URL, when it is set.' }),
  ),
  mayChoosePassword: Type.Boolean({
    description: 'Came by a link within the last hour: a password can be chosen without the current one.',
  }),
  needsPassword: Type.Boolean({ description: 'Was invited, and has not chosen a password yet.' }),
})
export type Session = Static<typeof Session>

const session: Session = {
  member: { email: 'sara@shop.example' },
  apps: [{ appId: 'shop', name: 'My shop', role: 'analyst', may: ['view', 'export'], hasPhones: false }],
  mode: 'production',
  mayChoosePassword: false,
  needsPassword: false,
}

const Email = Type.String({ minLength: 1, maxLength: 255, expected: 'an email address' })
const Password = Type.String({ minLength: 1, maxLength: 1000, expected: 'a password' })

export const panelSignIn = defineEndpoint({
  summary: 'Sign in with email address and password',
  group,
  body: Type.Object({ email: Email, password: Password }),
  answer: Session,
  example: { body: { email: 'sara@shop.example', password: 'correct horse battery' }, answer: session },
})

export const panelSignInByLink = defineEndpoint({
  summary: 'Sign in with the key of a link that works once',
  group,
  body: Type.Object({ key: Type.String({ minLength: 1, maxLength: 200, expected: 'the key of a link' }) }),
  answer: Session,
  example: { body: { key: 'wq3Yd0uZ8m1oJrT5vXc2bNf7hGk4sLpQeAiU6yRtMnE' }, answer: session },
})

export const panelSession = defineEndpoint({
  summary: 'Read who is signed in and what they may do',
  group,
  answer: Session,
  example: { answer: session },
})

export const panelSignOut = defineEndpoint({
  summary: 'Sign out',
  group,
  answer: Type.Object({}),
  example: { answer: {} },
})

const ListedSession = Type.Object({
  id: Type.String(),
  browser: Type.String({ description: 'What the browser said it is.' }),
  createdAt: Type.Integer(),
  lastSeenAt: Type.Integer(),
  isThis: Type.Boolean(),
})
export type ListedSession = Static<typeof ListedSession>

export const panelSessions = defineEndpoint({
  summary: 'List where the member is signed in',
  group,
  answer: Type.Array(ListedSession),
  example: {
    answer: [
      {
        id: '3f9a1c0b7d2e4a65',
        browser: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/141.0',
        createdAt: 1763200000000,
        lastSeenAt: 1763210000000,
        isThis: true,
      },
    ],
  },
})

export const panelEndSessions = defineEndpoint({
  summary: 'Sign out everywhere else',
  group,
  answer: Type.Object({ count: Type.Integer({ description: 'Sessions that were ended.' }) }),
  example: { answer: { count: 2 } },
})

export const panelChangePassword = defineEndpoint({
  summary: 'Change the password',
  description: 'Ends all other sessions of the member.',
  group,
  body: Type.Object({ current: Type.Optional(Password), next: Password }),
  answer: Type.Object({}),
  example: { body: { current: 'correct horse battery', next: 'staple of another kind' }, answer: {} },
})
