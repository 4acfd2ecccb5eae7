import { Text } from '@mantine/core'
import { useStoredLine } from '../../parts/tables/use-stored-line.ts'

const shownCharacters = 160

/** The values of an event in a line of small text. */
export function EventData({ data }: { data: Record<string, unknown> | undefined }) {
  const line = useStoredLine()
  const entries = Object.entries(data ?? {})
  if (entries.length === 0) return null
  const text = entries.map(([name, value]) => `${name}: ${show(value)}`).join(', ')
  return (
    <Text size="xs" c="dimmed" lineClamp={2} {...line}>
      {text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text}
    </Text>
  )
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
