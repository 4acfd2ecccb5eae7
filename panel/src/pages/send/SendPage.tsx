import { IconSend } from '@tabler/icons-react'
import { useApp } from '../../api/use-app.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { Composer } from './Composer.tsx'

export function SendPage() {
  const { shell, send } = useTexts()
  const { may } = useApp()
  if (may('send-to-one')) return <Composer />
  return (
    <>
      <PageHead title={shell.send} />
      <EmptyState icon={IconSend} title={send.notAllowed} text={send.notAllowedText} />
    </>
  )
}
