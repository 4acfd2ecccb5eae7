import { Alert, Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import type { AnswerOf, ComposedMessage, panelSend, SendPlan } from '@peyk/contract'
import { IconAlertTriangle, IconSend, IconUserCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiFault, appPath, call, NoAnswer } from '#api/call.ts'
import { useApp } from '#api/use-app.ts'
import { Fault } from '#parts/Fault.tsx'
import { occursAt, useSayWhen } from '#parts/hooks/use-say-when.ts'
import { useRuleWords } from '#parts/repeat/use-rule-words.ts'
import { plainDigits } from '#texts/digits.ts'
import { useFormat, useLanguage, useTexts } from '#texts/LanguageProvider.tsx'
import { sayTest } from '../variants/say-test.ts'
import { findServed } from './served-users.ts'
import { spellNumber } from './spell-number.ts'

/** Nobody misreads a number below it. */
const spelledFrom = 100

interface ConfirmSendProps {
  request: ComposedMessage & { draftId: string }
  plan: SendPlan
  /** One for each dry run: a double click, or another try after a lost answer, never sends twice. */
  idempotencyKey: string
  onClose(): void
  onSent(accepted: AnswerOf<typeof panelSend>): void
  /** The service says what is wrong with the message. */
  onRefused(error: ApiFault): void
}

/** The last question. */
export function ConfirmSend({ request, plan, idempotencyKey, onClose, onSent, onRefused }: ConfirmSendProps) {
  const { send: texts } = useTexts().send
  const { common, variants } = useTexts()
  const { appId } = useApp()
  const { language } = useLanguage()
  const format = useFormat()
  const sayWhen = useSayWhen()
  const [typed, setTyped] = useState('')
  const [leavesOut, setLeavesOut] = useState(false)
  const { count } = plan.dryRun
  const isLater = request.sendAt !== undefined
  const { sendAt = 0 } = request
  const start = typeof sendAt === 'object' ? sendAt : Number(sendAt)
  const [next] = plan.dryRun.next ?? []
  const first = next === undefined ? start : occursAt(next, typeof start === 'object')
  const codes = findServed(plan.dryRun)
  const sayRule = useRuleWords()
  const test = sayTest(plan.dryRun, request.winner, variants.plan, format)
  const sending = useMutation({
    mutationFn: () =>
      call<typeof panelSend>('POST', appPath(appId, '/send'), {
        body: { ...request, confirmed: count },
        idempotencyKey,
      }),
    onSuccess: onSent,
    onError: (error) => {
      if (error instanceof ApiFault && error.status >= 400 && error.status < 500 && error.status !== 401)
        onRefused(error)
    },
  })
  const isGoing = sending.isPending || sending.isSuccess
  // A closed dialog would look as if nothing was sent.
  const close = () => {
    if (!isGoing) onClose()
  }
  const isTyped = plan.unusual === undefined || readNumber(typed) === count
  const mayConfirm = isTyped && (codes === undefined || leavesOut)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (mayConfirm && !isGoing) sending.mutate()
  }
  return (
    <Modal
      opened
      onClose={close}
      title={isLater ? texts.titleLater : texts.title}
      centered
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text fz="lg" fw={600}>
            {codes
              ? texts.some(format.number(codes.served), format.number(codes.needed))
              : count < spelledFrom
                ? texts.plain(count, format.number(count))
                : texts.words(format.number(count), spellNumber(count, language))}
          </Text>
          {plan.needsApproval && (
            <Alert variant="light" icon={<IconUserCheck />}>
              {texts.needsApproval}
            </Alert>
          )}
          {plan.unusual && <Unusual count={count} unusual={plan.unusual} />}
          {isLater && <Text fw={600}>{texts.goesAt(sayWhen(first))}</Text>}
          {request.repeat && (
            <Text size="sm">{sayRule({ ...request.repeat, zone: request.repeat.zone ?? 'UTC' }, start)}</Text>
          )}
          {test !== undefined && <Text size="sm">{test}</Text>}
          <Text size="sm" c="dimmed">
            {request.repeat ? texts.canEnd : isLater ? texts.canChange : texts.cannotUndo}
          </Text>
          {plan.unusual && (
            <TextInput
              label={texts.type(format.number(count))}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              inputMode="numeric"
              autoComplete="off"
              dir="ltr"
              data-autofocus
            />
          )}
          {codes && (
            <Checkbox
              label={texts.leaveOut(codes.missing, format.number(codes.missing))}
              description={texts.leaveOutText}
              checked={leavesOut}
              onChange={(event) => setLeavesOut(event.currentTarget.checked)}
            />
          )}
          {sending.error instanceof NoAnswer ? (
            <Alert variant="light" color="orange" icon={<IconAlertTriangle />} role="alert">
              {texts.lost}
            </Alert>
          ) : (
            sending.error && <Fault error={sending.error} />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={isGoing}>
              {common.cancel}
            </Button>
            <Button
              type="submit"
              disabled={!mayConfirm}
              loading={isGoing}
              leftSection={<IconSend size={16} />}
              {...(plan.unusual === undefined && { 'data-autofocus': true })}
            >
              {plan.needsApproval
                ? texts.askApproval
                : codes
                  ? (isLater ? texts.confirmSomeLater : texts.confirmSome)(
                      format.number(codes.served),
                      format.number(codes.needed),
                    )
                  : (isLater ? texts.confirmLater : texts.confirm)(count, format.number(count))}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function Unusual({ count, unusual }: { count: number; unusual: NonNullable<SendPlan['unusual']> }) {
  const { send: texts } = useTexts().send
  const format = useFormat()
  const { isEverybody, largest } = unusual
  return (
    <Alert variant="light" color="orange" icon={<IconAlertTriangle />}>
      {isEverybody && <Text size="sm">{texts.everybody}</Text>}
      {!isEverybody && (
        <Text size="sm">
          {largest === 0
            ? texts.first
            : texts.largest(format.number(Math.round((count / largest) * 10) / 10), format.number(largest))}
        </Text>
      )}
    </Alert>
  )
}

/** With or without separators, in the digits of any script. */
function readNumber(typed: string): number | undefined {
  const text = plainDigits(typed).replace(/[\s,.٬،'’\u200e\u200f]/g, '')
  return /^\d+$/.test(text) ? Number(text) : undefined
}
