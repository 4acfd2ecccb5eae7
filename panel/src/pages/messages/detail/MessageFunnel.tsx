import { Text } from '@mantine/core'
import type { CampaignDetail } from '@peyk/contract'
import { FunnelBars, type FunnelStep } from '../../../parts/numbers/FunnelBars.tsx'
import { shareOf } from '../../../parts/numbers/measures.ts'
import { Panel } from '../../../parts/Panel.tsx'
import { useTexts } from '../../../texts/LanguageProvider.tsx'

const steps = ['sent', 'delivered', 'shown'] as const
/** What becomes of what was delivered: one of these, or nothing. */
const ends = ['opened', 'acted', 'dismissed'] as const

/** Of a message, or of all messages of a campaign. */
export function MessageFunnel({ message: { count, states } }: { message: Pick<CampaignDetail, 'count' | 'states'> }) {
  const { messages: texts } = useTexts()
  const label = (step: keyof typeof texts.steps) => (
    <>
      {texts.steps[step]}
      <Text size="xs" c="dimmed" component="div">
        {texts.stepHints[step]}
      </Text>
    </>
  )
  const all: FunnelStep[] = [
    { key: 'accepted', label: label('accepted'), count },
    ...steps.map((step) => ({ key: step, label: label(step), count: states[step] })),
    ...ends.map((end) => {
      const share = shareOf(states[end], states.delivered)
      return { key: end, label: label(end), count: states[end], isSide: true, ...(share !== undefined && { share }) }
    }),
  ]
  return (
    <Panel title={texts.funnel} lead={texts.funnelLead}>
      <FunnelBars steps={all} />
    </Panel>
  )
}
