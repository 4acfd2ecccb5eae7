import { SegmentedControl, Stack, Text } from '@mantine/core'
import type { MessageDetail } from '@peyk/contract'
import { useState } from 'react'
import { useApp } from '../../../api/use-app.ts'
import { NotificationPreview } from '../../../parts/notification-preview/NotificationPreview.tsx'
import type { PreviewPlatform } from '../../../parts/notification-preview/preview-props.ts'
import { drawnNotification, type SentTexts } from '../../../parts/notification-preview/shown-notification.ts'
import { Panel } from '../../../parts/Panel.tsx'
import { TemplateText } from '../../../parts/template-text/TemplateText.tsx'
import { useTexts } from '../../../texts/LanguageProvider.tsx'

const platforms: readonly PreviewPlatform[] = ['android', 'ios', 'web']

/** The notification as it was written. Variables are marked by their names: they differ from one to the other. */
export function MessagePreview({ message }: { message: MessageDetail }) {
  const { messages: texts, common } = useTexts()
  const { name } = useApp()
  const [platform, setPlatform] = useState<PreviewPlatform>('android')
  const [isExpanded, setIsExpanded] = useState(true)
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
        <Stack>
          <SegmentedControl
            size="xs"
            fullWidth
            aria-label={texts.previewOf}
            data={platforms.map((value) => ({ value, label: common.platforms[value] }))}
            value={platform}
            onChange={(value) => setPlatform(value as PreviewPlatform)}
          />
          <NotificationPreview
            notification={drawnNotification(message as SentTexts, { name })}
            platform={platform}
            appName={name}
            marksVariables
            expanded={isExpanded}
            onToggle={() => setIsExpanded(!isExpanded)}
          />
        </Stack>
      )}
    </Panel>
  )
}
