import { Code, Group, Text, Timeline } from '@mantine/core'
import { IconCoin, IconPoint, IconTimeline } from '@tabler/icons-react'
import { AppLink } from '../../parts/AppLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { PagedList } from './PagedList.tsx'
import { type UserEvent, useUserEvents } from './queries.ts'

export function EventsTab({ userId }: { userId: string }) {
  const { users: texts } = useTexts()
  const events = useUserEvents(userId)
  return (
    <Panel>
      <PagedList
        of={events}
        empty={<EmptyState icon={IconTimeline} title={texts.noEvents} text={texts.noEventsText} />}
      >
        {(items) => (
          <Timeline bulletSize={22} lineWidth={2}>
            {items.map((event) => (
              <Timeline.Item
                key={event.id}
                bullet={event.revenue === undefined ? <IconPoint size={14} /> : <IconCoin size={14} />}
                title={<EventTitle event={event} />}
              >
                <EventDetails event={event} />
              </Timeline.Item>
            ))}
          </Timeline>
        )}
      </PagedList>
    </Panel>
  )
}

function EventTitle({ event }: { event: UserEvent }) {
  const format = useFormat()
  return (
    <Group gap="xs" justify="space-between">
      <Group gap="xs">
        <AppLink to={`/events/${encodeURIComponent(event.eventName)}`} size="sm" fw={600}>
          <bdi>{event.eventName}</bdi>
        </AppLink>
        {event.revenue !== undefined && (
          <Text size="sm" fw={600} c="var(--peyk-good)">
            {format.money(event.revenue, event.currency?.toUpperCase() ?? '')}
          </Text>
        )}
      </Group>
      <Text size="xs" c="dimmed" title={format.moment(event.eventTime)}>
        {format.ago(event.eventTime)}
      </Text>
    </Group>
  )
}

function EventDetails({ event }: { event: UserEvent }) {
  const { users: texts } = useTexts()
  const data = Object.entries(event.eventData ?? {})
  if (data.length === 0 && event.influence === undefined) return null
  return (
    <Group gap={6} mt={2}>
      {data.map(([name, value]) => (
        <Code key={name} dir="auto">
          {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
        </Code>
      ))}
      {event.influence && (
        <AppLink to={`/messages/${event.influence.messageId}`} size="xs">
          {texts.afterMessage}
        </AppLink>
      )}
    </Group>
  )
}
