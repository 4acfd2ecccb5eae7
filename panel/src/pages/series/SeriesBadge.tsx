import { Badge } from '@mantine/core'
import type { SeriesState } from '@peyk/contract'
import { useTexts } from '../../texts/LanguageProvider.tsx'

const colors: Record<SeriesState, string> = { active: 'green', paused: 'orange', ended: 'gray' }

export function SeriesBadge({ state }: { state: SeriesState }) {
  const { series: texts } = useTexts()
  return (
    <Badge variant="dot" color={colors[state]} tt="none" fw={600} size="md" style={{ flexShrink: 0 }}>
      {texts.states[state]}
    </Badge>
  )
}
