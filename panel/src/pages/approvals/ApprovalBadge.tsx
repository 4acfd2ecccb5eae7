import { Badge } from '@mantine/core'
import type { Approval } from '@peyk/contract'
import { useTexts } from '../../texts/LanguageProvider.tsx'

const colors: Record<Approval['state'], string> = {
  waiting: 'orange',
  approved: 'green',
  declined: 'red',
  withdrawn: 'gray',
  lapsed: 'gray',
}

export function ApprovalBadge({ state }: { state: Approval['state'] }) {
  const { approvals: texts } = useTexts()
  return (
    <Badge variant="dot" color={colors[state]} tt="none" fw={600} size="md" style={{ flexShrink: 0 }}>
      {texts.states[state]}
    </Badge>
  )
}
