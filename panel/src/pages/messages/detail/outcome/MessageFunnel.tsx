import { UnstyledButton } from '@mantine/core'
import type { CampaignDetail } from '@peyk/contract'
import type { ReactNode } from 'react'
import { Explained } from '#parts/Explained.tsx'
import { shareOf } from '#parts/numbers/measures.ts'
import { Panel } from '#parts/Panel.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { funnelSteps, type Step } from './funnel-steps.ts'
import classes from './MessageFunnel.module.css'

interface MessageFunnelProps {
  message: Pick<CampaignDetail, 'count' | 'states'>
  /** Shows the totals of several messages: deliveries, not devices. */
  isOfMany?: boolean
  /** More confirmations are to be expected soon. */
  isConfirming?: boolean
  /** Shows the devices that have not confirmed it. */
  onUnconfirmed?: () => void
}

/** How far a message came, or all messages of a campaign: side by side, and one under the other where it is narrow. */
export function MessageFunnel({ message, isOfMany = false, isConfirming = false, onUnconfirmed }: MessageFunnelProps) {
  const { campaigns, messages: texts } = useTexts()
  const format = useFormat()
  const steps = funnelSteps(message)
  const whole = Math.max(1, ...steps.map(({ count }) => count))
  return (
    <Panel title={texts.funnel}>
      <div className={classes.funnel}>
        <ol className={classes.steps}>
          {steps.map((step) => (
            <li key={step.key} className={classes.step} data-step={step.key} data-last={step.isLast || undefined}>
              <div className={classes.name}>
                <Explained text={isOfMany && step.key === 'accepted' ? campaigns.countHint : texts.stepHints[step.key]}>
                  {texts.steps[step.key]}
                </Explained>
              </div>
              <div className={classes.count}>{format.number(step.count)}</div>
              <div className={classes.share}>
                {step.of?.share !== undefined && texts.ofStep[step.of.base](format.percent(step.of.share))}
              </div>
              <div className={classes.track}>
                <div className={classes.bar} style={{ inlineSize: `${(step.count / whole) * 100}%` }} />
              </div>
              <Notes {...{ step, isConfirming, onUnconfirmed }} states={message.states} />
            </li>
          ))}
        </ol>
      </div>
    </Panel>
  )
}

interface NotesProps {
  step: Step
  states: CampaignDetail['states']
  isConfirming: boolean
  onUnconfirmed: (() => void) | undefined
}

/** Where those are that did not come so far. */
function Notes({ step: { key, count, of }, states, isConfirming, onUnconfirmed }: NotesProps) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  const missing = of?.missing ?? 0
  const withShare = (part: number, share: number | undefined) =>
    share === undefined ? format.number(part) : `${format.number(part)} (${format.percent(share)})`
  const notes: ReactNode[] = []
  if (key === 'sent') {
    const ended = missing - states.queued
    if (states.queued > 0) notes.push(texts.gaps.waiting(format.number(states.queued)))
    if (ended > 0) notes.push(texts.gaps.notSent(format.number(ended)))
  }
  if (key === 'delivered' && missing > 0) {
    const text = texts.gaps[isConfirming ? 'confirming' : 'unconfirmed'](format.number(missing))
    notes.push(
      onUnconfirmed ? (
        <UnstyledButton className={classes.link} onClick={onUnconfirmed}>
          {text}
        </UnstyledButton>
      ) : (
        text
      ),
    )
  }
  if (key === 'shown' && missing > 0) notes.push(texts.gaps.notShown(format.number(missing)))
  if (key === 'opened' && states.acted > 0) {
    notes.push(
      <Explained text={texts.stepHints.acted}>
        {texts.gaps.acted(withShare(states.acted, shareOf(states.acted, count)))}
      </Explained>,
    )
  }
  if (key === 'opened' && states.dismissed > 0) {
    const share = shareOf(states.dismissed, states.delivered)
    notes.push(
      <Explained text={texts.stepHints.dismissed}>
        {texts.gaps.dismissed(withShare(states.dismissed, share))}
      </Explained>,
    )
  }
  if (notes.length === 0) return null
  return (
    <div className={classes.notes}>
      {notes.map((note, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: their order is theirs
        <div key={index}>{note}</div>
      ))}
    </div>
  )
}
