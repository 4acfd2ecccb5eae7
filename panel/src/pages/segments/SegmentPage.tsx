import { IconFilterOff } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { ApiFault } from '../../api/call.ts'
import { Answer } from '../../parts/Answer.tsx'
import { AppLink } from '../../parts/AppLink.tsx'
import { BackLink } from '../../parts/BackLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { usePageSearch } from '../../parts/hooks/use-page-search.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
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
  if (source.error instanceof ApiFault && source.error.status === 404 && source.data === undefined) return <Unknown />
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

function Unknown() {
  const { segments: texts, shell } = useTexts()
  return (
    <>
      <PageHead title={texts.unknown} above={<BackLink to="/segments">{shell.segments}</BackLink>} />
      <Panel>
        <EmptyState
          icon={IconFilterOff}
          title={texts.unknown}
          text={texts.unknownText}
          action={<AppLink to="/segments">{shell.segments}</AppLink>}
        />
      </Panel>
    </>
  )
}
