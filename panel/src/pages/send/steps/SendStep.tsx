import { Button, Group, Text } from '@mantine/core'
import type { SendPlan } from '@peyk/contract'
import { IconSend } from '@tabler/icons-react'
import { useFormat, useTexts } from '../../../texts/LanguageProvider.tsx'
import { Step } from './Step.tsx'
import { findServed } from './served-users.ts'

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
  const codes = plan && findServed(plan.dryRun)
  const whyNot = () => {
    if (!isAllowed) return who.tooMany
    if (plan === undefined) return texts.needsCheck
    if (shown === 0) return texts.nobody
    return codes?.served === 0 ? texts.noCodes : undefined
  }
  const why = whyNot()
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
          {codes
            ? texts.buttonSome(format.number(codes.served), format.number(codes.needed))
            : texts.button(shown, format.number(shown))}
        </Button>
        <Text size="sm" c="dimmed" id="why-not-send">
          {why}
        </Text>
      </Group>
    </Step>
  )
}
