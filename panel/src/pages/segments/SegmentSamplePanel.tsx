import { Group, Stack, Text } from '@mantine/core'
import { memo } from 'react'
import { Answer } from '../../parts/Answer.tsx'
import { AppLink } from '../../parts/AppLink.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { PlatformMark } from '../../parts/PlatformMark.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { byUser } from './by-user.ts'
import { useSegmentSample } from './queries.ts'

/** Some who match, with a way to each of them. */
export const SegmentSamplePanel = memo(function SegmentSamplePanel({ value }: { value: unknown }) {
  const { segments: texts } = useTexts()
  const format = useFormat()
  const sample = useSegmentSample(value)
  // What is wrong with the segment is said at its rules.
  if (sample.isError && sample.data === undefined) return null
  return (
    <Panel title={texts.sample}>
      <Answer of={{ ...sample, isError: false } as typeof sample}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              {texts.sampleNone}
            </Text>
          ) : (
            <Stack
              gap={10}
              style={{ filter: sample.isPlaceholderData ? 'grayscale(1)' : undefined }}
              aria-busy={sample.isPlaceholderData}
            >
              {byUser(data).map(({ row, deviceTypes }) => (
                <Group key={row.userId} justify="space-between" wrap="nowrap" gap="sm">
                  <div style={{ minWidth: 0 }}>
                    <AppLink
                      to={`/users/${encodeURIComponent(row.userId)}`}
                      size="sm"
                      fw={550}
                      truncate
                      display="block"
                    >
                      <bdi>{row.userId}</bdi>
                    </AppLink>
                    <Text size="xs" c="dimmed" truncate>
                      {[row.isGuest ? texts.guest : undefined, row.deviceModel, row.clientVersion]
                        .filter((word) => word !== undefined)
                        .join(' · ')}
                    </Text>
                  </div>
                  <Stack gap={0} align="flex-end" style={{ flex: 'none' }}>
                    {deviceTypes.map((deviceType) => (
                      <PlatformMark key={deviceType} deviceType={deviceType} />
                    ))}
                    <Text size="xs" c="dimmed" title={format.moment(row.launchTime)}>
                      {format.ago(row.launchTime)}
                    </Text>
                  </Stack>
                </Group>
              ))}
            </Stack>
          )
        }
      </Answer>
    </Panel>
  )
})
