import { Alert, Button, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiFault, NoAnswer } from '../api/call.ts'
import type { Texts } from '../texts/en.ts'
import type { Format } from '../texts/format.ts'
import { useFormat, useTexts } from '../texts/LanguageProvider.tsx'

/** What happened, in words that help. The service's own words where the caller can do something about it. */
export function faultText(error: unknown, { faults }: Texts, format: Format): string {
  if (error instanceof NoAnswer) return faults.noAnswer
  if (!(error instanceof ApiFault)) return faults.ours
  if (error.status === 429) return faults.tooMany(format.duration(error.retryAfterSeconds ?? 1))
  if (error.status === 403) return faults.forbidden
  if (error.status === 503) return faults.unavailable
  if (error.status >= 500) return faults.ours
  return error.message
}

export function useFaultText(): (error: unknown) => string {
  const texts = useTexts()
  const format = useFormat()
  return (error) => faultText(error, texts, format)
}

export function Fault({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const { faults, common } = useTexts()
  const say = useFaultText()
  const requestId = error instanceof ApiFault && error.status >= 500 ? error.requestId : undefined
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} title={faults.title} role="alert">
      <Text size="sm">{say(error)}</Text>
      {requestId !== undefined && (
        <Text size="xs" c="dimmed" mt={4}>
          {faults.requestId(requestId)}
        </Text>
      )}
      {onRetry !== undefined && (
        <Button size="xs" mt="sm" variant="default" onClick={onRetry}>
          {common.retry}
        </Button>
      )}
    </Alert>
  )
}
