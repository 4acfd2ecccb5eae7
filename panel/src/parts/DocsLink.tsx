import { Anchor } from '@mantine/core'
import { useTexts } from '../texts/LanguageProvider.tsx'
import { type DocsPlace, docsHref, isInGuide } from './docs-places.ts'

/** To the guide or the API reference, in a tab of its own. */
export function DocsLink({ place }: { place?: DocsPlace }) {
  const { shell } = useTexts()
  return (
    <Anchor href={docsHref(place)} target="_blank" rel="noopener" size="sm" underline="always">
      {place && isInGuide(place) ? shell.guide : shell.docs}
    </Anchor>
  )
}
