import { Alert, Stack, Text } from '@mantine/core'
import type { ComposedMessage, SendPlan } from '@peyk/contract'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Fault } from '#parts/Fault.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { TestSend } from '../test-send/TestSend.tsx'
import { PlanView } from './PlanView.tsx'
import { Step } from './Step.tsx'
import type { SaidFault } from './say-reason.ts'

interface ReviewStepProps {
  plan: SendPlan | undefined
  /** Something was changed since. */
  isStale: boolean
  error: unknown
  /** Fields are missing or wrong, and the member tried. */
  needsFixing: boolean
  message: ComposedMessage
  /** What keeps the message from being tried, in words. */
  testFault: string | undefined
  warnings: readonly SaidFault[]
}

/** What the service would do, before it does it. */
export function ReviewStep(props: ReviewStepProps) {
  const { plan: texts } = useTexts().send
  const { plan, isStale, error, needsFixing } = props
  return (
    <Step name="review">
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
        {plan && <PlanView plan={plan} warnings={props.warnings} />}
        {plan && isStale && (
          <Text size="sm" c="var(--mantine-color-error)">
            {texts.stale}
          </Text>
        )}
        <TestSend message={props.message} fault={props.testFault} />
      </Stack>
    </Step>
  )
}
