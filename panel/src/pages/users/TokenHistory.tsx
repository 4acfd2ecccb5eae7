import { Text, Timeline } from '@mantine/core'
import type { UserDevice } from '@peyk/contract'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'

/** The push tokens of a device: the one it has, and what became of those before. */
export function TokenHistory({ token }: { token: UserDevice['token'] }) {
  const { users: texts } = useTexts()
  const format = useFormat()
  const { isThere, status, changedAt, past } = token
  if (!isThere && past.length === 0) {
    return (
      <Text size="sm" c="dimmed" pt="sm">
        {texts.neverToken}
      </Text>
    )
  }
  return (
    <Timeline active={isThere ? 0 : -1} bulletSize={14} lineWidth={2} pt="sm">
      {isThere && (
        <Timeline.Item title={texts.tokens.now}>
          <Text size="sm" c="dimmed">
            {[changedAt === undefined ? undefined : texts.givenOn(format.moment(changedAt)), sayStatus(status, texts)]
              .filter((word) => word !== undefined)
              .join(' · ')}
          </Text>
        </Timeline.Item>
      )}
      {past.map(({ endedAt, givenAt, reason }) => (
        <Timeline.Item key={endedAt} title={texts.ends[reason]}>
          <Text size="sm" c="dimmed">
            {texts.endedOn(format.moment(endedAt))}
            {givenAt !== undefined && ` · ${texts.givenOn(format.moment(givenAt))}`}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  )
}

/** Apps may send words of their own: these stay as they are. */
export function sayStatus(
  status: string | undefined,
  { tokenStatuses }: ReturnType<typeof useTexts>['users'],
): string | undefined {
  return status === undefined ? undefined : (tokenStatuses[status.toUpperCase()] ?? `\u2068${status}\u2069`)
}
