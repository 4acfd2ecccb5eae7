import { Group, Stack, Text } from '@mantine/core'
import type { SegmentDetail } from '@peyk/contract'
import { memo } from 'react'
import { AppLink } from '../../parts/AppLink.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { MoreButton } from '../../parts/tables/MoreButton.tsx'
import { useStoredLine } from '../../parts/tables/use-stored-line.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { useEarlierUses } from './queries.ts'

/** The messages that went to a saved segment. */
export const SegmentUses = memo(function SegmentUses({ saved: { id: segmentId, uses } }: { saved: SegmentDetail }) {
  const { segments: texts } = useTexts()
  const format = useFormat()
  const line = useStoredLine()
  const earlier = useEarlierUses(segmentId, uses.cursor)
  return (
    <Panel title={texts.usedIn}>
      {uses.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.usedNone}
        </Text>
      ) : (
        <Stack gap="sm">
          {[...uses.data, ...earlier.data].map(({ id, text, acceptedAt, count, trackId }) => (
            <Group key={id} justify="space-between" wrap="nowrap" align="baseline">
              <div style={{ minWidth: 0 }}>
                <AppLink to={`/messages/${id}`} size="sm" fw={550} lineClamp={1} {...line}>
                  {text === '' ? id : text}
                </AppLink>
                {trackId !== undefined && (
                  <AppLink to={`/campaigns/${encodeURIComponent(trackId)}`} size="xs">
                    <bdi>{trackId}</bdi>
                  </AppLink>
                )}
              </div>
              <Text size="xs" c="dimmed" style={{ flex: 'none' }} title={format.moment(acceptedAt)}>
                {texts.sentTo(texts.devices(count, format.number(count)))} · {format.ago(acceptedAt)}
              </Text>
            </Group>
          ))}
          <MoreButton of={earlier} />
        </Stack>
      )}
    </Panel>
  )
})
