import { Select, SimpleGrid } from '@mantine/core'
import type { FaultPreset, SimulatedProvider } from '@peyk/contract'
import { Answer } from '../../parts/Answer.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { Panel } from '../../parts/Panel.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useFaultPresets, useSetFaultPreset } from './queries.ts'

const providers: readonly SimulatedProvider[] = ['fcm', 'apns', 'webpush', 'sms']
const moods: readonly FaultPreset[] = ['well', 'slow', 'busy', 'down', 'gone', 'cut']

/** Faults of the simulated providers, on and off: what happens to a send then is seen on its page. */
export function FaultPresets() {
  const { phones: words } = useTexts()
  const answer = useFaultPresets()
  return (
    <Panel title={words.providers} lead={words.providersText}>
      <Answer of={answer}>
        {(now) => (
          <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
            {providers.map((provider) => (
              <Mood key={provider} provider={provider} mood={now[provider] ?? 'well'} />
            ))}
          </SimpleGrid>
        )}
      </Answer>
    </Panel>
  )
}

function Mood({ provider, mood }: { provider: SimulatedProvider; mood: FaultPreset | 'other' }) {
  const { phones: words } = useTexts()
  const toast = useToast()
  const set = useSetFaultPreset(provider)
  const offered = [
    ...moods.filter((name) => provider !== 'sms' || name !== 'gone'),
    ...(mood === 'other' ? ['other' as const] : []),
  ]
  return (
    <Select
      label={words.ways[provider]}
      description={words.moodTexts[mood]}
      inputWrapperOrder={['label', 'input', 'description']}
      data={offered.map((value) => ({ value, label: words.moods[value] }))}
      value={mood}
      allowDeselect={false}
      disabled={set.isPending}
      onChange={(value) => set.mutate({ mood: value as FaultPreset }, { onError: toast.failed })}
    />
  )
}
