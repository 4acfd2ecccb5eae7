import { Stack } from '@mantine/core'
import { Answer } from '#parts/Answer.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { useProviders } from '../queries.ts'
import { SectionHead } from '../SectionHead.tsx'
import { ProviderCard } from './ProviderCard.tsx'

export function SmsSection() {
  const { settings } = useTexts()
  const providers = useProviders()
  const words = settings.providers.sms
  return (
    <Stack>
      <SectionHead title={words.title} lead={words.lead} />
      <Answer of={providers}>
        {(all) => <ProviderCard name="sms" provider={all.find(({ provider }) => provider === 'sms')} />}
      </Answer>
    </Stack>
  )
}
