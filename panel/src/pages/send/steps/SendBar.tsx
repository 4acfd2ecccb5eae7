import { Anchor, Button, Group, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import type { SendPlan } from '@peyk/contract'
import { IconListCheck, IconSend } from '@tabler/icons-react'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { readWhen } from '../draft/compose.ts'
import type { useReceiverCount } from '../queries.ts'
import { useSending } from '../sending.ts'
import { focusPlan } from './PlanView.tsx'
import classes from './SendBar.module.css'
import { findServed, type ServedUsers } from './served-users.ts'

interface SendBarProps {
  /** The check of what is on the page now; undefined when there is none. */
  plan: SendPlan | undefined
  /** Something was changed since the last check. */
  isStale: boolean
  counted: ReturnType<typeof useReceiverCount>
  isAllowed: boolean
  warnings: number
  isChecking: boolean
  /** It is checked because it is to be sent. */
  isSending: boolean
  onCheck(): void
  onSend(): void
}

/** Always in sight: how many receive it, whether it was checked, and the two buttons. *Send* checks by itself. */
export function SendBar(props: SendBarProps) {
  const { plan, isStale, counted, isAllowed, warnings, isChecking, isSending, onCheck, onSend } = props
  const { plan: words, send: texts, who } = useTexts().send
  const format = useFormat()
  const { draft } = useSending()
  const { isLater } = draft.when
  const time = readWhen(draft.when)
  const count = plan?.dryRun.count ?? (counted.isChosen ? counted.data?.count : undefined) ?? 0
  const codes = plan && findServed(plan.dryRun)
  const whyNot = () => {
    if (!isAllowed) return who.tooMany
    if (plan && count === 0) return texts.nobody
    return codes?.served === 0 ? texts.noCodes : undefined
  }
  const why = whyNot()
  const goOn = () => {
    if (document.querySelector('[role="dialog"]') || isChecking) return
    if (why === undefined) onSend()
    else onCheck()
  }
  useHotkeys([['mod+Enter', goOn]], [])
  return (
    <Group className={classes.bar} justify="space-between" gap="sm" data-send-bar>
      <div className={classes.words} aria-live="polite">
        <Receivers counted={counted} codes={codes} />
        <Text size="sm" c="dimmed" id="why-not-send">
          {typeof time === 'number' && <span>{texts.goesAt(format.moment(time))} </span>}
          {why}
          {why === undefined && !plan && (isStale ? words.stale : texts.needsCheck)}
          {why === undefined && plan && warnings === 0 && words.ready}
          {why === undefined && plan && warnings > 0 && (
            <Anchor component="button" type="button" size="sm" onClick={focusPlan}>
              {texts.warnings(warnings, format.number(warnings))}
            </Anchor>
          )}
        </Text>
      </div>
      <Group gap="xs" className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconListCheck size={16} />}
          onClick={onCheck}
          loading={isChecking && !isSending}
          aria-keyshortcuts={why === undefined ? undefined : 'Control+Enter'}
        >
          {plan || isStale ? words.again : words.run}
        </Button>
        <Button
          leftSection={<IconSend size={16} />}
          disabled={why !== undefined}
          loading={isSending}
          onClick={onSend}
          aria-describedby="why-not-send"
          aria-keyshortcuts={why === undefined ? 'Control+Enter' : undefined}
        >
          {codes
            ? (isLater ? texts.buttonSomeLater : texts.buttonSome)(
                format.number(codes.served),
                format.number(codes.needed),
              )
            : (isLater ? texts.buttonLater : texts.button)(count, format.number(count))}
        </Button>
      </Group>
    </Group>
  )
}

interface ReceiversProps extends Pick<SendBarProps, 'counted'> {
  codes: ServedUsers | undefined
}

function Receivers({ counted: { data, isChosen, isStale }, codes }: ReceiversProps) {
  const { count: texts } = useTexts().send
  const format = useFormat()
  const number = (say: (count: number, shown: string) => string, count: number) => say(count, format.number(count))
  if (!isChosen || data === undefined) return <Text fw={600}>{isChosen ? texts.counting : texts.pending}</Text>
  const devices = number(texts.devices, data.count)
  const both = data.users === undefined ? devices : texts.both(devices, number(texts.users, data.users))
  return (
    <Text fw={600} className={classes.number} data-stale={isStale || undefined}>
      {data.count === 0
        ? texts.nobody
        : codes
          ? texts.served(format.number(codes.served), format.number(codes.needed), devices)
          : both}
    </Text>
  )
}
