import { Group, Stack, Text } from '@mantine/core'
import { IconBellOff } from '@tabler/icons-react'
import { DevicePreview } from '#parts/notification-preview/DevicePreview.tsx'
import { drawnNotification } from '#parts/notification-preview/shown-notification.ts'
import { Panel } from '#parts/Panel.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { composeMessage } from '../draft/compose.ts'
import type { Draft } from '../draft/draft.ts'
import { draftIn } from '../draft/draft-languages.ts'
import { useSending } from '../sending.ts'
import { variantDraft } from '../variants/draft-variants.ts'
import classes from './PreviewColumn.module.css'
import { shownText } from './rendered-text.ts'
import { SampleChooser } from './SampleChooser.tsx'

/** The message as people will see it, drawn anew with every letter. */
export function PreviewColumn({ onSample }: { onSample(userId: string | undefined): void }) {
  const { preview, languages, ...send } = useTexts().send
  const { variants } = useTexts()
  const { draft: written, sample, language, variant } = useSending()
  const format = useFormat()
  const draft = draftIn(variantDraft(written, variant), language)
  const inLanguage = language === undefined ? preview.title : languages.preview(format.language(language))
  const { isOn, variants: all } = written.test
  const title = isOn ? variants.preview(inLanguage, all[variant]?.name ?? '') : inLanguage
  const read = useReader()
  const look = sample?.look ?? { name: '' }
  const message = read(draft, look.name)
  const isShown = !draft.flags.silent && !(draft.flags.inApp && draft.product === 'message')
  return (
    <Panel title={title} aria-label={preview.title} actions={<SampleChooser onChoose={onSample} />}>
      <Stack gap="sm">
        <DevicePreview
          notification={drawnNotification(message, look)}
          appName={look.name}
          icon={look.icon}
          {...(!isShown && { instead: <Nothing why={draft.flags.silent ? preview.silent : preview.inApp} /> })}
        />
        {draft.product === 'message' && message.content !== undefined && message.content !== '' && (
          <Group gap="xs" align="flex-start" wrap="nowrap">
            <Text size="xs" c="dimmed" style={{ flex: 'none' }} pt={8}>
              {preview.inbox}
            </Text>
            <Text size="sm" className={classes.bubble} dir="auto" title={send.fields.content} tabIndex={0}>
              {message.content}
            </Text>
          </Group>
        )}
      </Stack>
    </Panel>
  )
}

function Nothing({ why }: { why: string }) {
  const { preview } = useTexts().send
  return (
    <Stack align="center" gap={6} className={classes.nothing}>
      <IconBellOff size={26} aria-hidden />
      <Text fw={600}>{preview.nothing}</Text>
      <Text>{why}</Text>
    </Stack>
  )
}

/** The message with its templates as the sample user reads them. Until that is known, variables are shown by name. */
function useReader() {
  const { renderedOf } = useSending()
  return (draft: Draft, appName: string) => {
    const { message } = composeMessage(draft, appName)
    const text = (field: string, typed: string | undefined) => shownText(renderedOf(field, typed), typed)
    const { notification } = message
    const content = text('content', message.content)
    const alertText = text('alertText', message.alertText)
    const body = text('notification.body', notification?.body)
    return {
      ...(content !== undefined && { content }),
      ...(alertText !== undefined && { alertText }),
      useAsAlert: draft.flags.useAsAlert,
      ...(notification && {
        notification: {
          ...notification,
          title: text('notification.title', notification.title) ?? '',
          ...(body !== undefined && { body }),
          ...(notification.actions && {
            actions: notification.actions.map((action, index) => ({
              ...action,
              title: text(`notification.actions[${index}].title`, action.title) ?? '',
            })),
          }),
        },
      }),
    }
  }
}
