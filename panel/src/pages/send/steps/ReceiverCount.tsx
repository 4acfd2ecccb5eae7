import { Group, Stack, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { Fault } from '#parts/Fault.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import type { useReceiverCount } from '../queries.ts'
import { MissingUsers } from './MissingUsers.tsx'
import classes from './ReceiverCount.module.css'

/** The exact number, while it is typed. A number that is being counted anew is faint. */
export function ReceiverCount({ counted }: { counted: ReturnType<typeof useReceiverCount> }) {
  const { count: texts } = useTexts().send
  const format = useFormat()
  const { data, isChosen, isStale, isError, error } = counted
  if (!isChosen) return null
  if (isError && data === undefined) return <Fault error={error} onRetry={() => void counted.refetch()} />
  return (
    <Stack gap={6} className={classes.count} aria-live="polite" data-stale={isStale || undefined}>
      <Group gap="sm" wrap="nowrap" align="baseline">
        <IconUsers size={18} aria-hidden className={classes.sign} />
        {data === undefined ? (
          <Text c="dimmed">{texts.counting}</Text>
        ) : (
          <Text>
            {texts.title}{' '}
            <Text span fw={700} fz="lg" className={classes.number} data-count={data.count}>
              {data.count === 0 ? texts.nobody : texts.devices(data.count, format.number(data.count))}
            </Text>{' '}
            {data.count > 0 && data.users !== undefined && (
              <Text span c="dimmed">
                ({texts.users(data.users, format.number(data.users))})
              </Text>
            )}
          </Text>
        )}
      </Group>
      {data && <MissingUsers {...data} />}
    </Stack>
  )
}
