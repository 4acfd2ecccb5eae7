import { SegmentedControl } from '@mantine/core'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { Panel } from '../../parts/Panel.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { useCrowd, useSetCrowd } from './queries.ts'

const paces = { paused: 0, slow: 0.5, normal: 1, fast: 10 } as const
const names = Object.keys(paces) as (keyof typeof paces)[]

/** The simulated users who live by themselves, and how fast. */
export function Crowd() {
  const { phones: words } = useTexts()
  const format = useFormat()
  const toast = useToast()
  const { data: crowd } = useCrowd()
  const set = useSetCrowd()
  if (!crowd || crowd.size === 0) return null
  const { size, members, pace } = crowd
  const offered = names.map((name) => ({ value: String(paces[name]), label: words.paces[name] }))
  const isOther = !names.some((name) => paces[name] === pace)
  return (
    <Panel
      mb="xl"
      title={words.crowd(format.number(size))}
      lead={members < size ? words.crowdComes(format.number(members)) : words.crowdText}
      actions={
        <SegmentedControl
          role="radiogroup"
          aria-label={words.pace}
          value={String(set.isPending ? set.variables.pace : pace)}
          onChange={(value) => set.mutate({ pace: Number(value) }, { onError: toast.failed })}
          data={isOther ? [...offered, { value: String(pace), label: `×${format.number(pace)}` }] : offered}
        />
      }
    />
  )
}
