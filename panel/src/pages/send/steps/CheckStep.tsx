import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { ComposedMessage, SendPlan } from '@peyk/contract'
import { IconAlertTriangle, IconListCheck } from '@tabler/icons-react'
import { Fault } from '../../../parts/Fault.tsx'
import { useTexts } from '../../../texts/LanguageProvider.tsx'
import { PlanView } from './PlanView.tsx'
import { Step } from './Step.tsx'
import { TestSend } from './TestSend.tsx'

interface CheckStepProps {
  plan: SendPlan | undefined
  /** Something was changed since. */
  isStale: boolean
  isRunning: boolean
  error: unknown
  /** Fields are missing or wrong, and the member tried. */
  needsFixing: boolean
  onRun(): void
  message: ComposedMessage
  /** What keeps the message from being tried, in words. */
  testFault: string | undefined
  isAllowed: boolean
}

/** The dry run: what the service would do, before it does it. */
export function CheckStep(props: CheckStepProps) {
  const { plan: texts } = useTexts().send
  const { plan, isStale, isRunning, error, needsFixing, onRun } = props
  return (
    <Step name="check">
      <Stack>
        {plan === undefined && !error && (
          <Text size="sm" c="dimmed">
            {texts.first}
          </Text>
        )}
        {needsFixing && (
          <Alert variant="light" color="red" icon={<IconAlertTriangle />} role="alert">
            {texts.fix}
          </Alert>
        )}
        {error !== null && error !== undefined && <Fault error={error} />}
        {plan && <PlanView plan={plan} isAllowed={props.isAllowed} />}
        <Group gap="sm">
          <Button
            variant={plan && !isStale ? 'default' : 'filled'}
            leftSection={<IconListCheck size={16} />}
            onClick={onRun}
            loading={isRunning}
          >
            {plan ? texts.again : texts.run}
          </Button>
          {plan && isStale && (
            <Text size="sm" c="var(--mantine-color-error)">
              {texts.stale}
            </Text>
          )}
        </Group>
        <TestSend message={props.message} fault={props.testFault} />
      </Stack>
    </Step>
  )
}
