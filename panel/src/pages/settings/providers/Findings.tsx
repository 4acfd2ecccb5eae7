import { Group, Stack, Text } from '@mantine/core'
import type { Finding } from '@peyk/contract'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { isKeyOf } from '#parts/is-key-of.ts'
import { Quote } from '#parts/Quote.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'

/** What the credential doctor found, in the language of the page; what a provider said is quoted. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  return (
    <Stack gap={6}>
      {findings.map((finding) => (
        <Group key={finding.text} gap={8} wrap="nowrap" align="flex-start">
          {finding.ok ? (
            <IconCircleCheck size={18} color="var(--peyk-good)" aria-hidden style={{ flex: 'none' }} />
          ) : (
            <IconCircleX size={18} color="var(--mantine-color-error)" aria-hidden style={{ flex: 'none' }} />
          )}
          <Words finding={finding} />
        </Group>
      ))}
    </Stack>
  )
}

type ProviderWords = ReturnType<typeof useTexts>['settings']['providers']

/** A field by the label that the form gives it; what is within a file keeps its name. */
function labelOf(field = '', { apns, webpush, sms }: ProviderWords): string {
  if (field === 'privateKey') return apns.key
  for (const labels of [apns, webpush, sms] as Record<string, unknown>[]) {
    const label = labels[field]
    if (Object.hasOwn(labels, field) && typeof label === 'string') return label
  }
  return field
}

function Words({ finding: { text, code, values = {} } }: { finding: Finding }) {
  const { settings, reach } = useTexts()
  const words = settings.providers
  const { provider = '', detail, fault } = values
  const service = words.services[provider] ?? provider
  const why = fault !== undefined && isKeyOf(reach.faults, fault) ? reach.faults[fault] : undefined
  const known = code !== undefined && Object.hasOwn(words.findings, code) ? words.findings[code] : undefined
  if (known === undefined) {
    return (
      <Text size="sm" dir="auto">
        {text}
      </Text>
    )
  }
  if (why !== undefined) return <Text size="sm">{reach.notReached(service, why)}</Text>
  return (
    <Text size="sm">
      {known({ ...values, label: labelOf(values.field, words) }, service)}{' '}
      {detail !== undefined && code !== 'pair-signs' && <Quote>{detail}</Quote>}
    </Text>
  )
}
