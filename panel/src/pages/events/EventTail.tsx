import { Badge, Button, Group, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { AppLink } from '../../parts/AppLink.tsx'
import { Loading } from '../../parts/Loading.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { useArrivals } from '../../parts/tables/arrivals.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { EventData } from './EventData.tsx'
import classes from './EventTail.module.css'
import { type ListedEvent, useTail } from './queries.ts'

/** What happens right now. */
export function EventTail() {
  const { events: t } = useTexts()
  const format = useFormat()
  const [isHeld, setIsHeld] = useState(false)
  const { events, waiting, isThere } = useTail(isHeld)
  const arrived = useArrivals(events.map(({ id }) => id))
  return (
    <Panel
      title={t.tail}
      lead={t.tailLead}
      actions={
        <>
          {waiting > 0 && <Badge variant="light">{t.heldBack(format.number(waiting))}</Badge>}
          <Button
            variant="default"
            size="xs"
            leftSection={isHeld ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />}
            onClick={() => setIsHeld(!isHeld)}
          >
            {isHeld ? t.goOn : t.hold}
          </Button>
        </>
      }
    >
      {!isThere && <Loading rows={6} height={28} />}
      {isThere && events.length === 0 && (
        <Text c="dimmed" py="md">
          {t.tailNone}
        </Text>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ol className={classes.list} tabIndex={0} aria-label={t.tail}>
        {events.map((event) => (
          <TailEvent key={event.id} event={event} hasArrived={arrived.has(event.id)} />
        ))}
      </ol>
    </Panel>
  )
}

function TailEvent({ event, hasArrived }: { event: ListedEvent; hasArrived: boolean }) {
  const format = useFormat()
  const { eventName, eventTime, userId, revenue, currency } = event
  return (
    <li className={classes.event} data-arrived={hasArrived || undefined}>
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <Group gap="xs" style={{ minWidth: 0 }}>
          <AppLink to={`/events/${encodeURIComponent(eventName)}`} fw={600} size="sm">
            <bdi>{eventName}</bdi>
          </AppLink>
          <AppLink to={`/users/${encodeURIComponent(userId)}`} size="sm" c="dimmed">
            <bdi>{userId}</bdi>
          </AppLink>
          {revenue !== undefined && (
            <Badge variant="light" size="sm">
              {format.money(revenue, (currency ?? '').toUpperCase())}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {format.time(eventTime)}
        </Text>
      </Group>
      <EventData data={event.eventData} />
    </li>
  )
}
