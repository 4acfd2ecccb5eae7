import { Text } from '@mantine/core'

const shownCharacters = 160

/** The values of an event in a line of small text. */
export function EventData({ data }: { data: Record<string, unknown> | undefined }) {
  const entries = Object.entries(data ?? {})
  if (entries.length === 0) return null
  const text = entries.map(([name, value]) => `${name}: ${show(value)}`).join(', ')
  return (
    <Text size="xs" c="dimmed" lineClamp={2}>
      <bdi>{text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text}</bdi>
    </Text>
  )
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
