import type { PanelLink } from '@peyk/contract'
import { useFormat, useTexts } from '../../../texts/LanguageProvider.tsx'
import { SecretShown } from '../SecretShown.tsx'

export function LinkShown({ link, onDone }: { link: PanelLink; onDone(): void }) {
  const { settings } = useTexts()
  const words = settings.members
  const format = useFormat()
  return (
    <SecretShown
      label={words.link}
      value={`${location.origin}/panel/enter#${link.secret}`}
      warning={words.linkText(format.moment(link.expiresAt))}
      onDone={onDone}
    />
  )
}
