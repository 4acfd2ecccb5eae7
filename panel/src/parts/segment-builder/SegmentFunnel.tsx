import { useTexts } from '../../texts/LanguageProvider.tsx'
import { FunnelBars } from '../numbers/FunnelBars.tsx'
import classes from './SegmentBuilder.module.css'
import { describeStep, useSegmentWords } from './SegmentSentence.tsx'
import type { useSegmentCount } from './use-segment-count.ts'

/** How many are left after each rule, from everybody on. */
export function SegmentFunnel({ of: counted }: { of: ReturnType<typeof useSegmentCount> }) {
  const { segments: texts } = useTexts()
  const words = useSegmentWords()
  const { data, everybody, isCounting } = counted
  if (words === undefined || data === undefined || everybody === undefined) return null
  if (data.funnel.length === 0) return null
  return (
    <div className={classes.number} data-old={isCounting || undefined}>
      <FunnelBars
        steps={[
          { key: 'everybody', label: texts.everybody, count: everybody.count },
          ...data.funnel.map(({ rule, count }, index) => ({
            key: `${index} ${JSON.stringify(rule)}`,
            label: describeStep(rule, words),
            count,
          })),
        ]}
      />
    </div>
  )
}
