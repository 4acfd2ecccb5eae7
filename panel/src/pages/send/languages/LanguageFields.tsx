import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { directionOfLanguage } from '#parts/notification-preview/in-language.ts'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import type { Draft } from '../draft/draft.ts'
import { type DraftTexts, emptyTexts } from '../draft/draft-texts.ts'
import { ImageField } from '../fields/ImageField.tsx'
import { TextField } from '../fields/TextField.tsx'
import { type Sending, SendingContext, useSending } from '../sending.ts'
import { LinkTest } from '../test-send/LinkTest.tsx'

/** The texts of the message in one language, each with the default one in the place of an empty one. */
export function LanguageFields({ language }: { language: string }) {
  const { languages: texts, fields, actions: buttons, sms } = useTexts().send
  const outer = useSending()
  const format = useFormat()
  const { draft, change, removeLanguage } = outer
  const own = draft.languages[language] ?? emptyTexts
  const set = (changes: Partial<DraftTexts>) =>
    change({ languages: { ...draft.languages, [language]: { ...own, ...changes } } })
  const setAction = (place: number, title: string) =>
    set({ actions: draft.notification.actions.map((_, at) => (at === place ? title : (own.actions[at] ?? ''))) })
  const isMessage = draft.product === 'message'
  const name = format.language(language)
  return (
    <SendingContext value={inLanguage(outer, language, own, set)}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Text size="sm" c="dimmed" flex={1} miw={220}>
          {texts.hint(name)}
        </Text>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconTrash size={14} />}
          onClick={() => removeLanguage(language)}
        >
          {texts.remove(name)}
        </Button>
      </Group>
      <Stack dir={directionOfLanguage(language)} lang={language}>
        <TextField
          field="notification.title"
          label={fields.title}
          placeholder={draft.notification.title || (outer.sample?.look.name ?? '')}
          isPersonal
          hasEmoji
          value={own.title}
          onChange={(title) => set({ title })}
        />
        {isMessage && (
          <TextField
            field="content"
            label={fields.content}
            placeholder={draft.content}
            rows={3}
            isPersonal
            hasEmoji
            value={own.content}
            onChange={(content) => set({ content })}
          />
        )}
        <TextField
          field="notification.body"
          label={fields.body}
          placeholder={draft.notification.body || (isMessage ? fields.bodySame : '')}
          rows={isMessage ? 1 : 3}
          isPersonal
          hasEmoji
          value={own.body}
          onChange={(body) => set({ body })}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <div>
            <TextField
              field="notification.clickUrl"
              label={fields.clickUrl}
              placeholder={draft.notification.clickUrl}
              isCode
              isPersonal
              value={own.clickUrl}
              onChange={(clickUrl) => set({ clickUrl })}
            />
            <LinkTest link={own.clickUrl} />
          </div>
          <ImageField name="mediaUrl" />
        </SimpleGrid>
        {draft.notification.actions.map((action, place) => (
          <TextField
            // biome-ignore lint/suspicious/noArrayIndexKey: a button is its place
            key={place}
            field={`notification.actions[${place}].title`}
            label={`${buttons.label}: ${action.title}`}
            placeholder={action.title}
            isPersonal
            hasEmoji
            value={own.actions[place] ?? ''}
            onChange={(title) => setAction(place, title)}
          />
        ))}
        {draft.alertText !== '' && (
          <TextField
            field="alertText"
            label={fields.alertText}
            placeholder={draft.alertText}
            isPersonal
            hasEmoji
            value={own.alertText}
            onChange={(alertText) => set({ alertText })}
          />
        )}
        {draft.fallback.isOn && draft.who.kind === 'users' && (
          <TextField
            field="fallback.content"
            label={sms.content}
            placeholder={draft.fallback.content}
            rows={2}
            isPersonal
            value={own.sms}
            onChange={(text) => set({ sms: text })}
          />
        )}
      </Stack>
    </SendingContext>
  )
}

/** The page as the fields of one language see it: its texts stand where those of the message do. */
function inLanguage(
  outer: Sending,
  language: string,
  own: DraftTexts,
  set: (changes: Partial<DraftTexts>) => void,
): Sending {
  const { title, body, clickUrl, mediaUrl } = own
  const draft: Draft = {
    ...outer.draft,
    content: own.content,
    alertText: own.alertText,
    notification: { ...outer.draft.notification, title, body, clickUrl, mediaUrl },
  }
  return {
    ...outer,
    draft,
    changeNotification: ({ mediaUrl: url }) => {
      if (url !== undefined) set({ mediaUrl: url })
    },
    faultOf: (field) => outer.faultOf(`contents.${language}.${field}`),
  }
}
