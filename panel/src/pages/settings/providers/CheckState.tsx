import { Alert, Badge, Group, Text } from '@mantine/core'
import type { Provider } from '@peyk/contract'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import type { CheckedProvider } from '../queries.ts'
import { Findings } from './Findings.tsx'

/** How things stand with credentials: the worst of what is known. */
type Standing = 'notSet' | 'paused' | 'unchecked' | 'taken' | 'refused' | 'unreached'

const colors: Record<Standing, string> = {
  notSet: 'gray',
  paused: 'red',
  unchecked: 'yellow',
  taken: 'green',
  refused: 'red',
  unreached: 'orange',
}

function standingOf(provider: Provider | undefined): Standing {
  if (provider === undefined) return 'notSet'
  return provider.paused ? 'paused' : (provider.check?.result ?? 'unchecked')
}

export function ProviderState({ provider }: { provider: Provider | undefined }) {
  const words = useTexts().settings.providers
  const standing = standingOf(provider)
  return (
    <Group gap={6}>
      {provider?.simulated && (
        <Badge variant="outline" size="lg" tt="none" color="gray">
          {words.simulated}
        </Badge>
      )}
      <Badge color={colors[standing]} variant="light" size="lg" tt="none">
        {words.standings[standing]}
      </Badge>
    </Group>
  )
}

interface LastCheckProps {
  provider: Provider
  /** What a check just found, with everything it looked at. */
  result: CheckedProvider | undefined
}

/** When the credentials were last checked and what came of it; that they were not, where they were not. */
export function LastCheck({ provider: { check }, result }: LastCheckProps) {
  const words = useTexts().settings.providers
  const format = useFormat()
  if (check?.result === 'taken' && result === undefined) {
    return (
      <Text size="sm" c="dimmed" title={format.moment(check.at)}>
        {words.checkedAt(format.ago(check.at))}
      </Text>
    )
  }
  const findings = result?.findings ?? (check && [check.finding])
  if (findings === undefined) return <Text size="sm">{words.uncheckedText}</Text>
  const standing = check?.result ?? (result?.ok ? 'unchecked' : 'refused')
  return (
    <Alert color={colors[standing]} variant="light" title={words.results[standing]} role="status">
      <Findings findings={findings} />
      {check !== undefined && (
        <Text size="xs" mt={6} title={format.moment(check.at)}>
          {words.checkedAt(format.ago(check.at))}
        </Text>
      )}
    </Alert>
  )
}
