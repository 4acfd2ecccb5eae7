import { Alert, Button, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiFault, NoAnswer } from '../api/call.ts'
import type { Texts } from '../texts/en.ts'
import type { Format } from '../texts/format.ts'
import { useFormat, useTexts } from '../texts/LanguageProvider.tsx'

export interface SaidFault {
  text: string
  /** The words of the service or of somebody else, in English. */
  detail?: string
}

/**
 * What happened, in words that help. Of a refusal, the language of the page says what it is about, and the service's own
 * sentence follows where it tells more.
 */
export function sayFault(error: unknown, { faults, refusal }: Texts, format: Format): SaidFault {
  if (error instanceof NoAnswer) return { text: faults.noAnswer }
  if (!(error instanceof ApiFault)) return { text: faults.ours }
  if (error.code === 'too-many-requests') return { text: faults.tooMany(format.duration(error.retryAfterSeconds ?? 1)) }
  if (error.status === 403) return { text: faults.forbidden }
  if (error.status === 503) return { text: faults.unavailable }
  if (error.status >= 500) return { text: faults.ours }
  // The first page has headlines only: what they leave out is about what is done on others.
  const said = refusal?.(error) ?? faults.headline(error)
  if (said === undefined) return { text: error.message }
  const detail = said.quote ?? (said.isWhole ? undefined : error.message)
  return { text: said.text, ...(detail !== undefined && { detail }) }
}

/** The same in one string, for a toast or beside a field. */
export function faultText(error: unknown, texts: Texts, format: Format): string {
  const { text, detail } = sayFault(error, texts, format)
  return detail === undefined ? text : `${text} \u2068${detail}\u2069`
}

export function useFaultText(): (error: unknown) => string {
  const texts = useTexts()
  const format = useFormat()
  return (error) => faultText(error, texts, format)
}

/** What went wrong, without a frame. */
export function FaultWords({ error }: { error: unknown }) {
  const texts = useTexts()
  const { text, detail } = sayFault(error, texts, useFormat())
  return (
    <>
      <Text size="sm" dir="auto">
        {text}
      </Text>
      {detail !== undefined && (
        <Text size="sm" c="dimmed" lang="en" dir="auto">
          {detail}
        </Text>
      )}
    </>
  )
}

export function Fault({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const { faults, common } = useTexts()
  const requestId = error instanceof ApiFault && error.status >= 500 ? error.requestId : undefined
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} title={faults.title} role="alert">
      <FaultWords error={error} />
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
