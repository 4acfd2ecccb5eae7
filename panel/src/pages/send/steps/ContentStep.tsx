import { SimpleGrid, Stack } from '@mantine/core'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { ActionsEditor } from '../fields/ActionsEditor.tsx'
import { Choice } from '../fields/Choice.tsx'
import { ImageField } from '../fields/ImageField.tsx'
import { MoreFields } from '../fields/MoreFields.tsx'
import { TextField } from '../fields/TextField.tsx'
import { LanguageFields } from '../languages/LanguageFields.tsx'
import { LanguageTabs } from '../languages/LanguageTabs.tsx'
import { type Sending, useSending } from '../sending.ts'
import { LinkTest } from '../test-send/LinkTest.tsx'
import { ValueFields } from '../values/ValueFields.tsx'
import { changeProduct } from '../variants/draft-variants.ts'
import { InVariant } from '../variants/InVariant.tsx'
import { OtherTexts } from '../variants/OtherTexts.tsx'
import { TestSettings } from '../variants/TestSettings.tsx'
import { TestSwitch } from '../variants/TestSwitch.tsx'
import { VariantTabs } from '../variants/VariantTabs.tsx'
import { Step } from './Step.tsx'

export function ContentStep() {
  const { product: products } = useTexts().send
  const page = useSending()
  const { draft, change, language, variant } = page
  return (
    <Step name="content">
      <Stack>
        <Choice
          label={products.label}
          value={draft.product}
          onChange={(product) => product !== draft.product && change(changeProduct(draft, product))}
          options={[
            { value: 'message', label: products.message, text: products.messageText },
            { value: 'notification', label: products.notification, text: products.notificationText },
          ]}
        />
        <TestSwitch />
        <ValueFields />
        <VariantTabs>
          <InVariant key={variant}>
            <LanguageTabs>
              {language === undefined ? (
                <PlainFields page={page} />
              ) : (
                <LanguageFields key={language} language={language} />
              )}
            </LanguageTabs>
          </InVariant>
        </VariantTabs>
        <TestSettings />
      </Stack>
    </Step>
  )
}

/** The texts for everybody who has no other language, and all that does not differ by language. */
function PlainFields({ page }: { page: Sending }) {
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
      {page.variant === 0 ? (
        <>
          <ActionsEditor />
          <MoreFields />
        </>
      ) : (
        <OtherTexts page={page} />
      )}
    </>
  )
}
