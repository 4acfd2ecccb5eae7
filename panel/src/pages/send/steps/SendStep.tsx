import { Button, Group, Text } from '@mantine/core'
import type { SendPlan } from '@peyk/contract'
import { IconSend } from '@tabler/icons-react'
import { useFormat, useTexts } from '../../../texts/LanguageProvider.tsx'
import { Step } from './Step.tsx'

interface SendStepProps {
  /** The dry run of what is on the page now; undefined when there is none. */
  plan: SendPlan | undefined
  /** Counted while typing, for the button. */
  count: number | undefined
  isAllowed: boolean
  onSend(): void
}

export function SendStep({ plan, count, isAllowed, onSend }: SendStepProps) {
  const { send: texts, who } = useTexts().send
  const format = useFormat()
  const shown = plan?.dryRun.count ?? count ?? 0
  const why = !isAllowed ? who.tooMany : plan === undefined ? texts.needsCheck : shown === 0 ? texts.nobody : undefined
  return (
    <Step name="send">
      <Group gap="md">
        <Button
          size="md"
          leftSection={<IconSend size={18} />}
          disabled={why !== undefined}
          onClick={onSend}
          aria-describedby="why-not-send"
        >
          {texts.button(shown, format.number(shown))}
        </Button>
        <Text size="sm" c="dimmed" id="why-not-send">
          {why}
        </Text>
      </Group>
    </Step>
  )
}
