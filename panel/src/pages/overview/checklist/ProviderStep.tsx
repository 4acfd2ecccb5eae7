import { Button, Group, Stack, Text } from '@mantine/core'
import { useApp } from '#api/use-app.ts'
import { useLinkTo } from '#parts/AppLink.tsx'
import { DocsLink } from '#parts/DocsLink.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'

export function ProviderStep({ isDone }: { isDone: boolean }) {
  const { provider: t, askAdmin } = useTexts().checklist
  const { may } = useApp()
  const linkTo = useLinkTo()
  return (
    <Stack gap="sm">
      <Text size="sm">{t.text}</Text>
      {may('settings') ? (
        <Group gap="md">
          <Button variant={isDone ? 'default' : 'filled'} renderRoot={linkTo('/settings/providers')}>
            {t.open}
          </Button>
          <DocsLink place="providers" />
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {askAdmin}
        </Text>
      )}
    </Stack>
  )
}
