import { Stack, Title } from '@mantine/core'
import type { MessageLine, Phone } from '@peyk/contract'
import { useState } from 'react'
import { useLive } from '#api/live.ts'
import { useApp } from '#api/use-app.ts'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { usePhones } from '../../phones/use-phones.ts'
import type { Device } from './DeviceChooser.tsx'
import { TestResult } from './TestResult.tsx'
import type { SentTest } from './use-test-send.ts'

interface TestResultsProps {
  sent: readonly SentTest[]
  /** Those that it was sent to. */
  devices: readonly Device[]
}

/** What the devices report of a test, as they report it. Simulated phones can be tapped right here. */
export function TestResults(props: TestResultsProps) {
  const { hasPhones, may } = useApp()
  return hasPhones && may('operate') ? <WithPhones {...props} /> : <Results {...props} phones={[]} />
}

function WithPhones(props: TestResultsProps) {
  const { phones = [] } = usePhones()
  return <Results {...props} phones={phones} />
}

function Results({ sent, devices, phones }: TestResultsProps & { phones: readonly Phone[] }) {
  const { test: texts } = useTexts().send
  const [lines, setLines] = useState<ReadonlyMap<string, MessageLine>>(new Map())
  useLive('messages', (changed) =>
    setLines((old) => new Map([...old, ...changed.map((line) => [line.id, line] as const)])),
  )
  return (
    <Stack gap="xs" component="section" aria-label={texts.results}>
      <Title order={4} size="h6">
        {texts.results}
      </Title>
      {sent.map((test) => (
        <TestResult
          key={test.id}
          test={test}
          device={devices.find(({ installationId }) => installationId === test.installationId)}
          states={lines.get(test.id)?.states}
          phone={phones.find(({ installationId }) => installationId === test.installationId)}
        />
      ))}
    </Stack>
  )
}
