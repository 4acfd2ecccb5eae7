import { Group, Stack, Text } from '@mantine/core'
import type { Checklist } from '@peyk/contract'
import { AppLink } from '#parts/AppLink.tsx'
import { Mono } from '#parts/Mono.tsx'
import { PlatformMark } from '#parts/PlatformMark.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import classes from './Checklist.module.css'

/** Waits for the first one, then shows the newest. */
export function InstallationStep({ isDone, device }: { isDone: boolean; device: Checklist['device'] }) {
  const { installation: t } = useTexts().checklist
  if (device !== undefined) {
    return (
      <Group gap="xs">
        <Text size="sm">{t.user}</Text>
        <AppLink to={`/users/${encodeURIComponent(device.userId)}`} size="sm">
          <Mono>{device.userId}</Mono>
        </AppLink>
      </Group>
    )
  }
  if (isDone) return <Text size="sm">{t.gone}</Text>
  return (
    <Stack gap={4}>
      <Group gap="xs" wrap="nowrap">
        <span className={classes.pulse} aria-hidden />
        <Text size="sm" fw={600}>
          {t.waiting}
        </Text>
      </Group>
      <Text size="sm" c="dimmed">
        {t.waitingText}
      </Text>
    </Stack>
  )
}

/** What was seen, and when: it stands beside the step, which may be closed. */
export function SeenDevice({ device }: { device: NonNullable<Checklist['device']> }) {
  const format = useFormat()
  return (
    <Group component="span" gap="xs" wrap="nowrap" title={format.moment(device.createdAt)}>
      <PlatformMark deviceType={device.deviceType} />
      <Text span size="sm" c="dimmed">
        {format.time(device.createdAt)}
      </Text>
    </Group>
  )
}
