import type { Series } from '@peyk/contract'
import { IconPlayerSkipForward } from '@tabler/icons-react'
import { useConfirm } from '../../parts/Confirm.tsx'
import { occursAt, useSayWhen } from '../../parts/hooks/use-say-when.ts'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { ActButton, EndButton, HoldButton } from '../messages/ActButtons.tsx'
import { useOperateSeries } from './queries.ts'

/** What can be done with a series that has not ended. */
export function SeriesActions({ series }: { series: Series }) {
  const { series: texts } = useTexts()
  const sayWhen = useSayWhen()
  const isLocal = series.localTime !== undefined
  const confirm = useConfirm()
  const toast = useToast()
  const { pause, resume, skip, end } = useOperateSeries(series.id)
  const [first] = series.next
  const isPaused = series.state === 'paused'
  const sayResumed = ({ next }: Series) =>
    toast.done(next[0] ? texts.resumed(sayWhen(occursAt(next[0].sendAt, isLocal))) : texts.ended)
  const hold = () =>
    isPaused
      ? resume.mutateAsync().then(sayResumed, toast.failed)
      : pause.mutateAsync().then(() => toast.done(texts.paused), toast.failed)
  const askAndSkip = async () => {
    if (!first) return
    const question = {
      title: texts.skipTitle,
      text: texts.skipText(sayWhen(occursAt(first.sendAt, isLocal))),
      confirmLabel: texts.skip,
      refuseLabel: texts.keep,
    }
    if (await confirm(question)) await skip.mutateAsync().then(() => toast.done(texts.skipped), toast.failed)
  }
  const askAndEnd = async () => {
    const question = { title: texts.endTitle, text: texts.endText, confirmLabel: texts.end, refuseLabel: texts.keep }
    const isSure = await confirm({ ...question, danger: true })
    if (isSure) await end.mutateAsync().then(() => toast.done(texts.ended), toast.failed)
  }
  return (
    <>
      <HoldButton isHeld={isPaused} isBusy={pause.isPending || resume.isPending} texts={texts} onClick={hold} />
      {first && (
        <ActButton icon={IconPlayerSkipForward} isBusy={skip.isPending} onClick={askAndSkip}>
          {texts.skip}
        </ActButton>
      )}
      <EndButton isBusy={end.isPending} onClick={askAndEnd}>
        {texts.end}
      </EndButton>
    </>
  )
}
