import { Stack } from '@mantine/core'
import { Answer } from '#parts/Answer.tsx'
import { DocsLink } from '#parts/DocsLink.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { type ProviderName, useProviders } from '../queries.ts'
import { SectionHead } from '../SectionHead.tsx'
import { ProviderCard } from './ProviderCard.tsx'

const pushProviders: readonly ProviderName[] = ['fcm', 'apns', 'webpush']

export function ProvidersSection() {
  const { settings } = useTexts()
  const providers = useProviders()
  return (
    <Stack>
      <SectionHead
        title={settings.providers.title}
        lead={
          <>
            {settings.providers.lead} <DocsLink place="providers" />
          </>
        }
      />
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
