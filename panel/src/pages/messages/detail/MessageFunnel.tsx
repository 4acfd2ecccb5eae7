import { Button, Text } from '@mantine/core'
import type { CampaignDetail } from '@peyk/contract'
import { FunnelBars } from '../../../parts/numbers/FunnelBars.tsx'
import { Panel } from '../../../parts/Panel.tsx'
import { useTexts } from '../../../texts/LanguageProvider.tsx'
import { funnelSteps } from './funnel-steps.ts'

interface MessageFunnelProps {
  message: Pick<CampaignDetail, 'count' | 'states'>
  /** Shows the devices that have not confirmed it. */
  onUnconfirmed?: () => void
}

/** Of a message, or of all messages of a campaign. */
export function MessageFunnel({ message, onUnconfirmed }: MessageFunnelProps) {
  const { messages: texts } = useTexts()
  const steps = funnelSteps(message).map((step) => ({
    ...step,
    label: (
      <>
        {texts.steps[step.key]}
        <Text size="xs" c="dimmed" component="div">
          {texts.stepHints[step.key]}
        </Text>
        {step.key === 'unconfirmed' && onUnconfirmed && (
          <Button size="compact-xs" variant="default" mt={4} onClick={onUnconfirmed}>
            {texts.showThem}
          </Button>
        )}
      </>
    ),
  }))
  return (
    <Panel title={texts.funnel} lead={texts.funnelLead}>
      <FunnelBars steps={steps} />
    </Panel>
  )
}
