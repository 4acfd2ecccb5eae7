import { PageHead } from '../../parts/PageHead.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'

export function PromoPage() {
  const { shell } = useTexts()
  return <PageHead title={shell.promo} />
}
