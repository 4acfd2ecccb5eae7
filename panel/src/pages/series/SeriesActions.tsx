import { Button } from '@mantine/core'
import type { Series } from '@peyk/contract'
import { IconPlayerPause, IconPlayerPlay, IconPlayerSkipForward, IconX } from '@tabler/icons-react'
import { useConfirm } from '../../parts/Confirm.tsx'
import { occursAt, useSayWhen } from '../../parts/hooks/use-say-when.ts'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'
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
      <Button
        variant="default"
        leftSection={isPaused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
        loading={pause.isPending || resume.isPending}
        onClick={() => void hold()}
      >
        {isPaused ? texts.resume : texts.pause}
      </Button>
      {first && (
        <Button
          variant="default"
          leftSection={<IconPlayerSkipForward size={16} />}
          loading={skip.isPending}
          onClick={askAndSkip}
        >
          {texts.skip}
        </Button>
      )}
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        leftSection={<IconX size={16} />}
        loading={end.isPending}
        onClick={askAndEnd}
      >
        {texts.end}
      </Button>
    </>
  )
}
