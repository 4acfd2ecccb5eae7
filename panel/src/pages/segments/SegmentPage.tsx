import { PageHead } from '../../parts/PageHead.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'

export function SegmentPage() {
  const { shell } = useTexts()
  return <PageHead title={shell.segments} />
}
