import { PageHead } from '../../parts/PageHead.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'

export function UninstallsPage() {
  const { shell } = useTexts()
  return <PageHead title={shell.uninstalls} />
}
