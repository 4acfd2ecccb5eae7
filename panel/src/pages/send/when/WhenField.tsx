import { Select, Stack, Text } from '@mantine/core'
import { MomentField } from '#parts/fields/MomentField.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { readWhen } from '../draft/compose.ts'
import { type DraftTime, lateChoices } from '../draft/draft.ts'
import { Choice } from '../fields/Choice.tsx'
import { useSending } from '../sending.ts'
import { RepeatField } from './RepeatField.tsx'

type Kind = 'now' | 'later' | 'local'

/** Now, at a moment, or when each user's clock shows a time. */
export function WhenField() {
  const { when: texts } = useTexts().send
  const { draft, change, faultOf } = useSending()
  const { when } = draft
  const kind: Kind = !when.isLater ? 'now' : when.isLocal ? 'local' : 'later'
  const set = (part: Partial<DraftTime>) => change({ when: { ...when, ...part } })
  return (
    <Stack gap="xs">
      <Choice
        label={texts.label}
        value={kind}
        onChange={(value) => set({ at: when.at || inAnHour(), isLater: value !== 'now', isLocal: value === 'local' })}
        options={[
          { value: 'now', label: texts.now },
          { value: 'later', label: texts.later },
          { value: 'local', label: texts.local, text: texts.localText },
        ]}
      />
      {when.isLater && (
        <>
          <MomentField
            data-field="sendAt"
            label={texts.at}
            maw={260}
            value={when.at}
            error={faultOf('sendAt')}
            onChange={(moment) => set({ at: moment ?? '' })}
          />
          {kind === 'later' && <Zone when={when} />}
          {kind === 'local' && (
            <Select
              label={texts.late}
              maw={360}
              allowDeselect={false}
              data={lateChoices.map((value) => ({ value, label: texts.lateChoices[value] }))}
              value={when.late ?? 'now'}
              onChange={(late) => set({ late: lateChoices.find((each) => each === late) ?? 'now' })}
            />
          )}
          <RepeatField />
        </>
      )}
    </Stack>
  )
}

function Zone({ when }: { when: DraftTime }) {
  const { when: texts } = useTexts().send
  const format = useFormat()
  const time = readWhen(when)
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Text size="xs" c="dimmed">
      {typeof time === 'number' ? texts.hint(format.ago(time), zone) : texts.zone(zone)}
    </Text>
  )
}

/** The next full hour but one. */
function inAnHour(): string {
  const hour = 3_600_000
  return new Date(Math.ceil(Date.now() / hour) * hour + hour).toISOString()
}
