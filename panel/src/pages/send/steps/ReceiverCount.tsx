import { Group, Stack, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { Fault } from '../../../parts/Fault.tsx'
import { useFormat, useTexts } from '../../../texts/LanguageProvider.tsx'
import type { useReceiverCount } from '../queries.ts'
import { MissingUsers } from './MissingUsers.tsx'
import classes from './ReceiverCount.module.css'

/** The exact number, while it is typed. A number that is being counted anew is faint. */
export function ReceiverCount({ counted }: { counted: ReturnType<typeof useReceiverCount> }) {
  const { count: texts } = useTexts().send
  const format = useFormat()
  const { data, isChosen, isStale, isError, error } = counted
  if (isChosen && isError && data === undefined) return <Fault error={error} onRetry={() => void counted.refetch()} />
  const shown = isChosen ? data : undefined
  return (
    <Stack gap={6} className={classes.count} aria-live="polite" data-stale={(isChosen && isStale) || undefined}>
      <Group gap="sm" wrap="nowrap" align="baseline">
        <IconUsers size={18} aria-hidden className={classes.sign} />
        {shown === undefined ? (
          <Text c="dimmed">{isChosen ? texts.counting : texts.pending}</Text>
        ) : (
          <Text>
            {texts.title}{' '}
            <Text span fw={700} fz="lg" className={classes.number} data-count={shown.count}>
              {shown.count === 0 ? texts.nobody : texts.devices(shown.count, format.number(shown.count))}
            </Text>{' '}
            {shown.count > 0 && shown.users !== undefined && (
              <Text span c="dimmed">
                ({texts.users(shown.users, format.number(shown.users))})
              </Text>
            )}
          </Text>
        )}
      </Group>
      {shown && <MissingUsers {...shown} />}
    </Stack>
  )
}
