import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { panelCreateToken } from '@peyk/contract'
import { IconKey } from '@tabler/icons-react'
import { useApp } from '#api/use-app.ts'
import { useAppMutation } from '#api/use-app-query.ts'
import { AppLink } from '#parts/AppLink.tsx'
import { CopyButton } from '#parts/copy/CopyButton.tsx'
import { Fault } from '#parts/Fault.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import classes from './Checklist.module.css'

interface KeyStepProps {
  /** The app has one, whether it is at hand here or not. */
  isDone: boolean
  clientKey: string
  onKey(clientKey: string): void
}

/** A key is shown once, when it is made; one that was made elsewhere can be pasted. */
export function KeyStep({ isDone, clientKey, onKey }: KeyStepProps) {
  const { key: t, askAdmin } = useTexts().checklist
  const { may } = useApp()
  const make = useAppMutation<typeof panelCreateToken>('POST', '/tokens', {
    refreshes: ['/tokens', '/checklist'],
    onSuccess: ({ secret }) => onKey(secret),
  })
  const isMade = make.data?.secret === clientKey
  return (
    <Stack gap="sm">
      <Text size="sm">{t.text}</Text>
      <Group align="flex-end" gap="sm">
        <TextInput
          label={t.label}
          placeholder={t.placeholder}
          dir="ltr"
          maxLength={200}
          value={clientKey}
          onChange={(event) => onKey(event.currentTarget.value.trim())}
          rightSection={clientKey !== '' && <CopyButton value={clientKey} />}
          classNames={{ input: classes.key as string }}
          style={{ flex: '1 1 16rem' }}
        />
        {may('settings') && (
          <Button
            variant={clientKey === '' ? 'filled' : 'default'}
            leftSection={<IconKey size={16} />}
            loading={make.isPending}
            onClick={() => make.mutate({ name: t.name, scopes: ['client'] })}
          >
            {isDone ? t.another : t.create}
          </Button>
        )}
      </Group>
      {make.isError && <Fault error={make.error} />}
      <Text size="sm" c="dimmed" role="status">
        {isMade ? t.once : isDone && clientKey === '' && t.elsewhere}
        {!isDone && !may('settings') && askAdmin}
      </Text>
      {may('settings') && (
        <AppLink to="/settings/keys" size="sm">
          {t.manage}
        </AppLink>
      )}
    </Stack>
  )
}
