import { useParams } from '@tanstack/react-router'
import { Answer } from '../../parts/Answer.tsx'
import { usePageSearch } from '../../parts/use-page-search.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useSegment } from './queries.ts'
import { SegmentEditor } from './SegmentEditor.tsx'

/** A saved segment, or a new one: empty, or beginning as a copy of another. */
export function SegmentPage() {
  const { segments: texts } = useTexts()
  const { id } = useParams({ strict: false }) as { id?: string }
  const [{ copy }] = usePageSearch()
  const source = useSegment(id ?? copy)
  if (id === undefined && copy === undefined) return <SegmentEditor key="new" />
  return (
    <Answer of={source}>
      {(found) =>
        id === undefined ? (
          <SegmentEditor key={`copy ${found.id}`} start={{ name: texts.copyOf(found.name), segment: found.segment }} />
        ) : (
          <SegmentEditor key={found.id} saved={found} />
        )
      }
    </Answer>
  )
}
