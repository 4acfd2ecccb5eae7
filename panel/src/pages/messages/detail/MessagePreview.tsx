import { Stack, Text } from '@mantine/core'
import type { MessageDetail } from '@peyk/contract'
import { useApp } from '../../../api/use-app.ts'
import { DevicePreview } from '../../../parts/notification-preview/DevicePreview.tsx'
import { drawnNotification, type SentTexts } from '../../../parts/notification-preview/shown-notification.ts'
import { Panel } from '../../../parts/Panel.tsx'
import { TemplateText } from '../../../parts/template-text/TemplateText.tsx'
import { useTexts } from '../../../texts/LanguageProvider.tsx'

/** The notification as it was written. Variables are marked by their names: they differ from one to the other. */
export function MessagePreview({ message }: { message: MessageDetail }) {
  const { messages: texts } = useTexts()
  const { name } = useApp()
  const hasNone = message.silent || message.inApp
  return (
    <Panel title={texts.preview}>
      {hasNone ? (
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            {texts.previewNone}
          </Text>
          <Text dir="auto" ta="start">
            <TemplateText>{message.content ?? ''}</TemplateText>
          </Text>
        </Stack>
      ) : (
        <DevicePreview notification={drawnNotification(message as SentTexts, { name })} appName={name} marksVariables />
      )}
    </Panel>
  )
}
