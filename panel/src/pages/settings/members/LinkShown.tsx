import type { PanelLink } from '@peyk/contract'
import { useApp } from '#api/use-app.ts'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { SecretShown } from '../SecretShown.tsx'

export function LinkShown({ link, onDone }: { link: PanelLink; onDone(): void }) {
  const { settings } = useTexts()
  const words = settings.members
  const format = useFormat()
  // A colleague may reach the service under a different address than this page's.
  const { clientUrl } = useApp()
  return (
    <SecretShown
      label={words.link}
      value={`${clientUrl}/panel/enter#${link.secret}`}
      warning={words.linkText(format.moment(link.expiresAt))}
      onDone={onDone}
    />
  )
}
