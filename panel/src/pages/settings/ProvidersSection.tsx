import { Stack, Text, Title } from '@mantine/core'
import { Answer } from '../../parts/Answer.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { ProviderCard } from './ProviderCard.tsx'
import { type ProviderName, useProviders } from './queries.ts'

const pushProviders: readonly ProviderName[] = ['fcm', 'apns', 'webpush']

export function ProvidersSection() {
  const { settings } = useTexts()
  const providers = useProviders()
  return (
    <Stack>
      <div>
        <Title order={2} size="h4">
          {settings.providers.title}
        </Title>
        <Text size="sm" c="dimmed">
          {settings.providers.lead}
        </Text>
      </div>
      <Answer of={providers}>
        {(all) => (
          <Stack>
            {pushProviders.map((name) => (
              <ProviderCard key={name} name={name} provider={all.find(({ provider }) => provider === name)} />
            ))}
          </Stack>
        )}
      </Answer>
    </Stack>
  )
}
