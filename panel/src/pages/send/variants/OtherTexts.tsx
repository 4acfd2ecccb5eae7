import { Text } from '@mantine/core'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { emptyTexts } from '../draft/draft-texts.ts'
import { TextField } from '../fields/TextField.tsx'
import type { Sending } from '../sending.ts'
import { changeVariant } from './draft-variants.ts'

/** What a variant may say otherwise of what the first one has. `page` is that of the whole message. */
export function OtherTexts({ page }: { page: Sending }) {
  const { variants: texts, send } = useTexts()
  const { draft, change, variant } = page
  const { notification, fallback } = draft
  const own = draft.test.variants[variant]?.texts ?? emptyTexts
  const set = (changes: Partial<typeof own>) => change(changeVariant(draft, variant, { texts: changes }))
  return (
    <>
      {notification.actions.map(({ title }, place) => (
        <TextField
          // biome-ignore lint/suspicious/noArrayIndexKey: a button is its place
          key={place}
          field={`notification.actions[${place}].title`}
          label={`${send.actions.label}: ${title}`}
          placeholder={title}
          isPersonal
          hasEmoji
          value={own.actions[place] ?? ''}
          onChange={(typed) =>
            set({ actions: notification.actions.map((_, at) => (at === place ? typed : (own.actions[at] ?? ''))) })
          }
        />
      ))}
      {draft.alertText !== '' && (
        <TextField
          field="alertText"
          label={send.fields.alertText}
          isPersonal
          hasEmoji
          value={own.alertText}
          onChange={(alertText) => set({ alertText })}
        />
      )}
      {fallback.isOn && draft.who.kind === 'users' && (
        <TextField
          field="fallback.content"
          label={send.sms.content}
          placeholder={fallback.content}
          rows={2}
          isPersonal
          value={own.sms}
          onChange={(sms) => set({ sms })}
        />
      )}
      <Text size="sm" c="dimmed">
        {texts.same}
      </Text>
    </>
  )
}
