import { Stack, Text, Title } from '@mantine/core'
import { Answer } from '../../parts/Answer.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { ProviderCard } from './ProviderCard.tsx'
import { useProviders } from './queries.ts'

export function SmsSection() {
  const { settings } = useTexts()
  const providers = useProviders()
  const words = settings.providers.sms
  return (
    <Stack>
      <div>
        <Title order={2} size="h4">
          {words.title}
        </Title>
        <Text size="sm" c="dimmed">
          {words.lead}
        </Text>
      </div>
      <Answer of={providers}>
        {(all) => <ProviderCard name="sms" provider={all.find(({ provider }) => provider === 'sms')} />}
      </Answer>
    </Stack>
  )
}
