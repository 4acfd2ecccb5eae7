import { SimpleGrid, Stack } from '@mantine/core'
import { useTexts } from '../../../texts/LanguageProvider.tsx'
import type { Draft } from '../draft/draft.ts'
import { ActionsEditor } from '../fields/ActionsEditor.tsx'
import { Choice } from '../fields/Choice.tsx'
import { ImageField } from '../fields/ImageField.tsx'
import { MoreFields } from '../fields/MoreFields.tsx'
import { TextField } from '../fields/TextField.tsx'
import { LanguageFields } from '../languages/LanguageFields.tsx'
import { LanguageTabs } from '../languages/LanguageTabs.tsx'
import { useSending } from '../sending.ts'
import { LinkTest } from '../test-send/LinkTest.tsx'
import { Step } from './Step.tsx'

export function ContentStep() {
  const { product: products } = useTexts().send
  const { draft, change, language } = useSending()
  const { notification } = draft

  /** What was written for one kind is the text of the other too, unless that has its own. */
  const changeProduct = (product: Draft['product']) => {
    if (product === draft.product) return
    const changes: Partial<Draft> = { product }
    if (product === 'notification' && notification.body === '') {
      changes.notification = { ...notification, body: draft.content }
    }
    if (product === 'message' && draft.content === '') {
      changes.content = notification.body
      changes.notification = { ...notification, body: '' }
    }
    change(changes)
  }
  return (
    <Step name="content">
      <Stack>
        <Choice
          label={products.label}
          value={draft.product}
          onChange={changeProduct}
          options={[
            { value: 'message', label: products.message, text: products.messageText },
            { value: 'notification', label: products.notification, text: products.notificationText },
          ]}
        />
        <LanguageTabs>
          {language === undefined ? <PlainFields /> : <LanguageFields key={language} language={language} />}
        </LanguageTabs>
      </Stack>
    </Step>
  )
}

/** The texts for everybody who has no other language, and all that does not differ by language. */
function PlainFields() {
  const { fields } = useTexts().send
  const { draft, change, changeNotification, sample } = useSending()
  const { notification } = draft
  const isMessage = draft.product === 'message'
  return (
    <>
      <TextField
        field="notification.title"
        label={fields.title}
        placeholder={sample?.look.name ?? ''}
        isPersonal
        hasEmoji
        value={notification.title}
        onChange={(title) => changeNotification({ title })}
      />
      {isMessage && (
        <TextField
          field="content"
          label={fields.content}
          hint={fields.contentHint}
          rows={3}
          isRequired
          isPersonal
          hasEmoji
          value={draft.content}
          onChange={(content) => change({ content })}
        />
      )}
      <TextField
        field="notification.body"
        label={fields.body}
        rows={isMessage ? 1 : 3}
        isRequired={!isMessage}
        placeholder={isMessage ? (sample?.look.notificationText ?? fields.bodySame) : ''}
        isPersonal
        hasEmoji
        value={notification.body}
        onChange={(body) => changeNotification({ body })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <div>
          <TextField
            field="notification.clickUrl"
            label={fields.clickUrl}
            hint={fields.clickUrlHint}
            isCode
            isPersonal
            value={notification.clickUrl}
            onChange={(clickUrl) => changeNotification({ clickUrl })}
          />
          <LinkTest link={notification.clickUrl} />
        </div>
        <ImageField name="mediaUrl" />
      </SimpleGrid>
      <ActionsEditor />
      <MoreFields />
    </>
  )
}
