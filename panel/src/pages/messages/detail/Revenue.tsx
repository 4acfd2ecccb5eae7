import { Stack, Text } from '@mantine/core'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'

/** Sums by currency, one under the other. */
export function Revenue({ amounts }: { amounts: Record<string, number> }) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  const sums = Object.entries(amounts).filter(([, amount]) => amount !== 0)
  if (sums.length === 0) {
    return (
      <Text span inherit c="dimmed">
        {texts.noRevenue}
      </Text>
    )
  }
  return (
    <Stack gap={0}>
      {sums.map(([currency, amount]) => (
        <Text key={currency} span inherit fw={650}>
          {format.money(amount, currency)}
        </Text>
      ))}
    </Stack>
  )
}
