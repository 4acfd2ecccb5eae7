import { Stack, Text } from '@mantine/core'
import { MomentField } from '../../../parts/fields/MomentField.tsx'
import { useFormat, useTexts } from '../../../texts/LanguageProvider.tsx'
import { readWhen } from '../draft/compose.ts'
import { useSending } from '../sending.ts'
import { Choice } from './Choice.tsx'

/** Now, or at a moment. */
export function WhenField() {
  const { when: texts } = useTexts().send
  const { draft, change, faultOf } = useSending()
  const format = useFormat()
  const { isLater, at } = draft.when
  const time = readWhen(draft.when)
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Stack gap="xs">
      <Choice
        label={texts.label}
        value={isLater ? 'later' : 'now'}
        onChange={(value) => change({ when: { at: at || inAnHour(), isLater: value === 'later' } })}
        options={[
          { value: 'now', label: texts.now },
          { value: 'later', label: texts.later },
        ]}
      />
      {isLater && (
        <>
          <MomentField
            data-field="sendAt"
            label={texts.at}
            maw={260}
            value={at}
            error={faultOf('sendAt')}
            onChange={(moment) => change({ when: { isLater, at: moment ?? '' } })}
          />
          <Text size="xs" c="dimmed">
            {typeof time === 'number' ? texts.hint(format.ago(time), zone) : texts.zone(zone)}
          </Text>
        </>
      )}
    </Stack>
  )
}

/** The next full hour but one. */
function inAnHour(): string {
  const hour = 3_600_000
  return new Date(Math.ceil(Date.now() / hour) * hour + hour).toISOString()
}
