import Type, { type Static } from 'typebox'

const text = (description: string) => Type.Optional(Type.String({ description }))

export const ActionTexts = Type.Object(
  {
    id: text('Which action of the message it is; without it, the one in the same place.'),
    title: text('Action title.'),
    icon: text('Icon name or link.'),
    url: text('Destination link or deep link.'),
  },
  { expected: 'an action object' },
)

export const NotificationTexts = Type.Object(
  {
    title: text('Notification title.'),
    body: text('Notification text.'),
    text: text('Another name of `body`.'),
    clickUrl: text('Link opened on click.'),
    icon: text('Notification image.'),
    largeIcon: text('Link of a large icon.'),
    chromeBadge: text('Link of a badge.'),
    mediaUrl: text('Media link.'),
    mediaType: text('Media type.'),
    sound: text('Sound.'),
    dir: text('Text direction; that of the language unless given.'),
    actions: Type.Optional(Type.Array(ActionTexts, { description: 'Buttons, or some of them.' })),
  },
  { expected: 'a notification object' },
)

/** What a message says in one language, nested as in the message. What is not given is as in the message. */
export const LanguageTexts = Type.Object(
  {
    content: text('Message text.'),
    alertText: text('Separate text for the notification.'),
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        expected: 'a JSON object',
        description: 'Its keys replace those of the message’s.',
      }),
    ),
    notification: Type.Optional(NotificationTexts),
    fallback: Type.Optional(
      Type.Object(
        { content: Type.String({ minLength: 1, description: 'Text of the SMS.', expected: 'the text of the SMS' }) },
        { expected: 'a fallback object' },
      ),
    ),
  },
  { expected: 'an object of texts' },
)
export type LanguageTexts = Static<typeof LanguageTexts>

export const Contents = Type.Record(Type.String(), LanguageTexts, {
  expected: 'an object of languages, such as {"fa": {"content": "…"}}',
  description:
    'Texts by language (BCP 47: `fa`, `fa-IR`, `zh-Hant`), at most 20, each nested as in the message. An installation gets those that fit its `language` best, else the plain ones; whatever a language leaves out is as in the message. The direction is that of the language.',
})
export type Contents = Static<typeof Contents>
