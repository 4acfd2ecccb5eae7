import { Button, Group, Text } from '@mantine/core'
import type { DeliveryReason, DeliveryState, MessageDetail, Phone, panelMessage } from '@peyk/contract'
import { IconCircleCheckFilled, IconCircleDashed, IconHandFinger } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useAppQuery } from '#api/use-app-query.ts'
import { AppLink } from '#parts/AppLink.tsx'
import { Mono } from '#parts/Mono.tsx'
import { PlatformMark } from '#parts/PlatformMark.tsx'
import { SafeLink } from '#parts/SafeLink.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { useRefetchWhen } from '../../messages/use-refetch-when.ts'
import { useUsePhone } from '../../phones/queries.ts'
import type { Device } from './DeviceChooser.tsx'
import classes from './TestSend.module.css'
import { furthestState, isReached, testSteps } from './test-progress.ts'
import type { SentTest } from './use-test-send.ts'

interface TestResultProps {
  test: SentTest
  device: Device | undefined
  /** As the live stream has them; undefined until it says something. */
  states: MessageDetail['states'] | undefined
  /** The simulated phone that it went to, where it is one. */
  phone: Phone | undefined
}

/** How far a test has come on one device, and the link that a tap opens. */
export function TestResult({ test, device, states, phone }: TestResultProps) {
  const { send, common } = useTexts()
  const { test: texts } = send
  const path = `/messages/${test.id}`
  const message = useAppQuery<typeof panelMessage>(path, undefined, { keepLast: false })
  const state = furthestState(states ?? message.data?.states ?? noStates)
  useRefetchWhen(Number(state === 'ended'), message.refetch)
  const isOnScreen = phone?.notifications.some((shown) => shown.messageId === test.id && shown.state === 'shown')
  return (
    <div className={classes.result} data-state={state}>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <Text size="sm" fw={600} dir="auto">
            {test.userId}
          </Text>
          {device && <PlatformMark deviceType={device.deviceType} />}
        </Group>
        <AppLink to={path} size="xs">
          {texts.details}
        </AppLink>
      </Group>
      {state !== 'ended' && (
        <ol className={classes.steps}>
          {testSteps.map((step) => {
            const isDone = isReached(step, state)
            const Sign = isDone ? IconCircleCheckFilled : IconCircleDashed
            return (
              <li key={step} className={classes.step} data-done={isDone || undefined}>
                <Sign size={15} aria-hidden />
                {common.states[step]}
              </li>
            )
          })}
        </ol>
      )}
      <Text size="sm" role="status">
        <Said state={state} message={message.data} />
      </Text>
      {phone && isOnScreen && <TapButton phone={phone} messageId={test.id} />}
    </div>
  )
}

const noStates = {} as Record<DeliveryState, number>

function Said({ state, message }: { state: DeliveryState; message: MessageDetail | undefined }): ReactNode {
  const { send, messages } = useTexts()
  const { states } = send.test
  const link = (message?.notification as { clickUrl?: string } | undefined)?.clickUrl
  if (state === 'ended') {
    const reason = Object.entries(message?.reasons ?? {}).find(([, count]) => count > 0)?.[0]
    return states.ended(reason === undefined ? undefined : messages.reasons[reason as DeliveryReason].title)
  }
  if (state === 'acted' || state === 'dismissed') return states[state]
  if (state === 'opened')
    return link === undefined ? (
      states.openedPlain
    ) : (
      <>
        {states.opened} <Link to={link} />
      </>
    )
  if (state === 'delivered' || state === 'shown') {
    return link === undefined ? (
      states.tapPlain
    ) : (
      <>
        {states.tap} <Link to={link} />
      </>
    )
  }
  return states[state]
}

function Link({ to }: { to: string }) {
  return (
    <SafeLink href={to}>
      <Mono>{to}</Mono>
    </SafeLink>
  )
}

function TapButton({ phone, messageId }: { phone: Phone; messageId: string }) {
  const { test: texts } = useTexts().send
  const use = useUsePhone(phone.id)
  return (
    <Button
      size="compact-xs"
      variant="default"
      mt={6}
      loading={use.isPending}
      leftSection={<IconHandFinger size={14} />}
      onClick={() => use.mutate({ act: 'tap', messageId })}
    >
      {texts.tapIt}
    </Button>
  )
}
