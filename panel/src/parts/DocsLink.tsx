import { Anchor } from '@mantine/core'
import { useTexts } from '../texts/LanguageProvider.tsx'
import { type DocsPlace, docsHref } from './docs-places.ts'

/** To the API reference, in a tab of its own. */
export function DocsLink({ place }: { place?: DocsPlace }) {
  const { shell } = useTexts()
  return (
    <Anchor href={docsHref(place)} target="_blank" rel="noopener" size="sm" underline="always">
      {shell.docs}
    </Anchor>
  )
}
