import { Anchor, Stack, Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import { useApp } from '#api/use-app.ts'
import { DocsLink } from '#parts/DocsLink.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { CodeBlock } from './CodeBlock.tsx'
import { type SnippetKind, snippetKinds, writeSnippet } from './snippets.ts'

const languages: Record<SnippetKind, string> = { web: 'HTML', android: 'Kotlin', ios: 'Swift', curl: 'Shell' }

interface SnippetStepProps {
  clientKey: string
  onNoKey(): void
  onCopied(): void
}

export function SnippetStep({ clientKey, onNoKey, onCopied }: SnippetStepProps) {
  const { snippet: t } = useTexts().checklist
  const { appId, clientUrl } = useApp()
  const [kind, setKind] = useState<SnippetKind>('web')
  const values = { appId, baseUrl: clientUrl, clientKey: clientKey || 'YOUR_CLIENT_KEY' }
  return (
    <Tabs value={kind} onChange={(chosen) => setKind(chosen as SnippetKind)} keepMounted={false}>
      <Tabs.List aria-label={t.kind}>
        {snippetKinds.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {t.kinds[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippetKinds.map((name) => (
        <Tabs.Panel key={name} value={name} pt="sm">
          <Stack gap="sm">
            <Text size="sm">{t.texts[name]}</Text>
            {clientKey === '' && (
              <Anchor component="button" type="button" size="sm" ta="start" onClick={onNoKey}>
                {t.noKey}
              </Anchor>
            )}
            <CodeBlock label={languages[name]} code={writeSnippet(name, values)} onCopied={onCopied} />
            <DocsLink place="register" />
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
