import { Badge, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { RateBar } from './RateBar.tsx'
import { type Results, sayChance, sayLift, sayRate, type VariantResult } from './say-results.ts'

interface VariantLineProps {
  results: Results
  variant: VariantResult
  /** What it is called here, and what it said. */
  name: string
  said: string | undefined
  /** The rate at the end of the bars. */
  whole: number
  isBest: boolean
}

/** One variant: its rate with the interval, how likely it is the best, and what it changed against control. */
export function VariantLine({ results, variant, name, said, whole, isBest }: VariantLineProps) {
  const { results: texts } = useTexts().variants
  const format = useFormat()
  const { rate, chanceOfBest, goal } = variant
  const { winner, leastUsers } = results
  const [from, to] = [format.percent(rate.from), format.percent(rate.to)]
  const hasWon = winner?.state === 'decided' && winner.variant === variant.name
  const lift = sayLift(variant, leastUsers, texts, format)
  const isGoal = results.goal !== undefined && results.by === `event:${results.goal.event}`
  const notes: ReactNode[] = [
    sayRate(rate, results.by, texts, format),
    ...(chanceOfBest === undefined ? [] : [texts.chance(sayChance(chanceOfBest, format))]),
    ...(goal && !isGoal
      ? [texts.goalRate(format.percent(goal.rate), format.number(goal.reached), format.number(goal.of))]
      : []),
    ...(lift === undefined ? [] : [lift]),
  ]
  return (
    <Stack gap={6} component="li" data-tested={variant.name}>
      <Group justify="space-between" gap="xs" align="baseline">
        <Group gap="xs" miw={0} flex={1}>
          <Text fw={650}>
            <bdi>{name}</bdi>
          </Text>
          {hasWon && (
            <Badge variant="light" size="sm">
              {winner.why === 'best' ? texts.won : texts.sent}
            </Badge>
          )}
          {said !== undefined && (
            <Text size="sm" c="dimmed" truncate dir="auto" flex={1} miw={120}>
              {said}
            </Text>
          )}
        </Group>
        <Group gap={8} align="baseline">
          <Text fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {format.percent(rate.rate)}
          </Text>
          <Text size="xs" c="dimmed">
            {texts.interval(from, to)}
          </Text>
        </Group>
      </Group>
      <RateBar
        rate={rate}
        whole={whole}
        isBest={isBest}
        label={texts.intervalLabel(format.percent(rate.rate), from, to)}
      />
      <Notes notes={notes} />
    </Stack>
  )
}

export function Notes({ notes }: { notes: readonly ReactNode[] }) {
  return (
    <Group gap="4px 16px">
      {notes.map((note, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they keep their places
        <Text key={place} size="sm" c="dimmed">
          {note}
        </Text>
      ))}
    </Group>
  )
}
