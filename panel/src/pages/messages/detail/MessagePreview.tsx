import { NativeSelect, Stack, Text } from '@mantine/core'
import type { Message } from '@peyk/contract'
import { useState } from 'react'
import { useApp } from '#api/use-app.ts'
import { DevicePreview } from '#parts/notification-preview/DevicePreview.tsx'
import { inVariant, languagesIn, type TestedTexts } from '#parts/notification-preview/in-variant.ts'
import { drawnNotification, type Look } from '#parts/notification-preview/shown-notification.ts'
import { Panel } from '#parts/Panel.tsx'
import { TemplateText } from '#parts/template-text/TemplateText.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'

interface VariantSelectProps {
  names: readonly string[]
  value: string
  onChange(name: string): void
}

function VariantSelect({ names, value, onChange }: VariantSelectProps) {
  const { variants: texts } = useTexts()
  return (
    <NativeSelect
      size="xs"
      aria-label={texts.label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={names.map((name) => ({ value: name, label: texts.variant(name) }))}
    />
  )
}

interface LanguageSelectProps {
  languages: readonly string[]
  value: string | undefined
  onChange(language: string | undefined): void
}

function LanguageSelect({ languages, value, onChange }: LanguageSelectProps) {
  const { languages: texts } = useTexts().send
  const format = useFormat()
  return (
    <NativeSelect
      size="xs"
      aria-label={texts.label}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      data={[
        { value: '', label: texts.plain },
        ...languages.map((tag) => ({ value: tag, label: format.language(tag) })),
      ]}
    />
  )
}

interface MessagePreviewProps {
  message: Message
  /** The app's own texts, if known; otherwise its name is shown. */
  look?: Look | undefined
}

/** The notification as it was written. Variables are shown by name, because their values differ by user. */
export function MessagePreview({ message, look }: MessagePreviewProps) {
  const { messages: texts, approvals } = useTexts()
  const { name } = useApp()
  const [language, setLanguage] = useState<string>()
  const hasNone = message.silent || message.inApp
  const names = (message.variants ?? []).map((variant) => variant.name)
  const [chosen = names[0], setChosen] = useState<string>()
  const tested = message as TestedTexts
  const read = inVariant(tested, chosen, language)
  const languages = languagesIn(tested)
  const drawn = drawnNotification(read, look ?? { name })
  const isHidden = look !== undefined && read.content !== undefined && drawn.body !== read.content
  return (
    <Panel
      title={texts.preview}
      actions={
        <>
          {chosen !== undefined && <VariantSelect names={names} value={chosen} onChange={setChosen} />}
          {languages.length > 0 && <LanguageSelect languages={languages} value={language} onChange={setLanguage} />}
        </>
      }
    >
      {hasNone ? (
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            {texts.previewNone}
          </Text>
          <Text dir="auto" ta="start">
            <TemplateText>{read.content ?? ''}</TemplateText>
          </Text>
        </Stack>
      ) : (
        <>
          <DevicePreview notification={drawn} appName={name} icon={look?.icon} marksVariables />
          {isHidden && (
            <Stack gap={0} mt="sm">
              <Text size="xs" c="dimmed">
                {approvals.content}
              </Text>
              <Text size="sm" dir="auto" ta="start">
                <TemplateText>{read.content ?? ''}</TemplateText>
              </Text>
            </Stack>
          )}
        </>
      )}
    </Panel>
  )
}
