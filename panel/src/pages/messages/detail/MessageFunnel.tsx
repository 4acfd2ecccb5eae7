import { Text } from '@mantine/core'
import type { CampaignDetail } from '@peyk/contract'
import { FunnelBars } from '../../../parts/numbers/FunnelBars.tsx'
import { Panel } from '../../../parts/Panel.tsx'
import { useTexts } from '../../../texts/LanguageProvider.tsx'
import { funnelSteps } from './funnel-steps.ts'

/** Of a message, or of all messages of a campaign. */
export function MessageFunnel({ message }: { message: Pick<CampaignDetail, 'count' | 'states'> }) {
  const { messages: texts } = useTexts()
  const steps = funnelSteps(message).map((step) => ({
    ...step,
    label: (
      <>
        {texts.steps[step.key]}
        <Text size="xs" c="dimmed" component="div">
          {texts.stepHints[step.key]}
        </Text>
      </>
    ),
  }))
  return (
    <Panel title={texts.funnel} lead={texts.funnelLead}>
      <FunnelBars steps={steps} />
    </Panel>
  )
}
