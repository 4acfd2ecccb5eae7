import { Alert, Button, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { AnswerOf, panelSend } from '@peyk/contract'
import { useEffect, useMemo, useState } from 'react'
import { useGo } from '../../parts/AppLink.tsx'
import { Fault } from '../../parts/Fault.tsx'
import { useSayWhen } from '../../parts/hooks/use-say-when.ts'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import classes from './Composer.module.css'
import { DraftBar } from './drafts/DraftBar.tsx'
import { DraftClash } from './drafts/DraftClash.tsx'
import { PreviewColumn } from './preview/PreviewColumn.tsx'
import { randomKey } from './random-key.ts'
import { SendingContext } from './sending.ts'
import { AudienceStep } from './steps/AudienceStep.tsx'
import { afterCheck } from './steps/after-check.ts'
import { ConfirmSend } from './steps/ConfirmSend.tsx'
import { ContentStep } from './steps/ContentStep.tsx'
import { DeliveryStep } from './steps/DeliveryStep.tsx'
import { focusPlan } from './steps/PlanView.tsx'
import { ReviewStep } from './steps/ReviewStep.tsx'
import { SendBar } from './steps/SendBar.tsx'
import { findServed } from './steps/served-users.ts'
import { useWarnings } from './steps/use-warnings.ts'
import { useComposer } from './use-composer.ts'

export function Composer() {
  const { shell, send, drafts } = useTexts()
  const composer = useComposer()
  const { counted, plan, isFresh, isWanted, forgetWanted } = composer
  const toast = useToast()
  const format = useFormat()
  const sayWhen = useSayWhen()
  const go = useGo()
  const isWide = useMediaQuery('(min-width: 75em)', true)
  const [isConfirming, setIsConfirming] = useState(false)
  const { warnings, isTrying } = useWarnings(
    plan,
    composer.draft,
    composer.isAllowed,
    composer.message,
    counted.data?.users,
  )
  const idempotencyKey = useMemo(() => plan && randomKey(), [plan])

  // Nobody asks twice where there is nothing to read: the dialog with the number opens by itself.
  const next = isWanted && isFresh && plan ? afterCheck(plan, warnings.length, isTrying) : 'wait'
  useEffect(() => {
    if (next === 'wait') return
    forgetWanted()
    if (next === 'confirm') setIsConfirming(true)
  }, [next, forgetWanted])

  const leave = ({ id, count, seriesId, approval }: AnswerOf<typeof panelSend>) => {
    composer.dropKept()
    if (approval) {
      toast.done(send.send.asked, { isOfNextPage: true })
      go(`/approvals/${encodeURIComponent(id)}`)
      return
    }
    const { sendAt } = composer.request
    const served = plan && findServed(plan.dryRun)
    const said =
      sendAt === undefined
        ? served
          ? send.send.sentSome(format.number(served.served), format.number(served.needed))
          : send.send.sent(count, format.number(count))
        : send.send.scheduled(sayWhen(sendAt))
    toast.done(said, { isOfNextPage: true })
    go(seriesId === undefined ? `/messages/${encodeURIComponent(id)}` : `/series/${seriesId}`)
  }
  const preview = <PreviewColumn onSample={composer.chooseSample} />
  return (
    <SendingContext value={composer.sending}>
      <PageHead title={shell.send} actions={<DraftBar composer={composer} />} />
      <DraftClash composer={composer} />
      {composer.origin?.isError && (
        <Fault error={composer.origin.error} onRetry={() => void composer.origin?.refetch()} />
      )}
      {composer.aside && (
        <Alert variant="light" mb="md">
          {drafts.aside[composer.aside.what]}{' '}
          <Button size="compact-sm" variant="default" onClick={composer.bringBack}>
            {drafts.bringBack[composer.aside.what]}
          </Button>
        </Alert>
      )}
      <div className={classes.page}>
        <Stack>
          <AudienceStep counted={counted} lost={composer.lost} />
          <ContentStep />
          {!isWide && preview}
          <DeliveryStep />
          <ReviewStep
            plan={plan}
            isStale={!isFresh}
            error={composer.checkFault || undefined}
            needsFixing={composer.needsFixing}
            message={composer.message}
            testFault={composer.testFault}
            warnings={warnings}
          />
        </Stack>
        {isWide && <div className={classes.side}>{preview}</div>}
      </div>
      <SendBar
        plan={isFresh ? plan : undefined}
        isStale={plan !== undefined && !isFresh}
        counted={counted}
        isAllowed={composer.isAllowed}
        warnings={warnings.length}
        isChecking={composer.isChecking}
        onCheck={composer.check}
        isSending={isWanted && (composer.isChecking || isFresh)}
        onSend={() => (isFresh ? setIsConfirming(true) : composer.checkToSend())}
      />
      {isConfirming && plan && idempotencyKey !== undefined && (
        <ConfirmSend
          request={{ ...composer.request, draftId: composer.open.id }}
          plan={plan}
          idempotencyKey={idempotencyKey}
          onClose={() => {
            setIsConfirming(false)
            setTimeout(focusPlan)
          }}
          onSent={leave}
          onRefused={(error) => {
            setIsConfirming(false)
            composer.refuse(error)
          }}
        />
      )}
    </SendingContext>
  )
}
