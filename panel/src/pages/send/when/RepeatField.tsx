import { Checkbox, Group, Input, List, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { MomentField } from '#parts/fields/MomentField.tsx'
import { occursAt, useSayWhen } from '#parts/hooks/use-say-when.ts'
import { nameDay } from '#parts/repeat/describe-rule.ts'
import { useFormat, useLanguage, useTexts } from '#texts/LanguageProvider.tsx'
import { readWhen } from '../draft/compose.ts'
import { composeRepeat, type DraftRepeat, repeatKinds } from '../draft/compose-repeat.ts'
import { useNextMoments } from '../queries.ts'
import { useSending } from '../sending.ts'

const weekdays = {
  en: ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'],
  fa: ['SA', 'SU', 'MO', 'TU', 'WE', 'TH', 'FR'],
}

const fromSunday = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Whether a message that goes later goes again, and when. */
export function RepeatField() {
  const { repeat: texts } = useTexts().send
  const { draft, change, faultOf } = useSending()
  const { repeat } = draft
  const set = (changes: Partial<DraftRepeat>) => change({ repeat: { ...repeat, ...changes } })
  const choose = (kind: DraftRepeat['kind']) => {
    const first = new Date(draft.when.at).getDay()
    const isOpen = kind === 'weekly' && repeat.days.length === 0 && !Number.isNaN(first)
    set({ kind, ...(isOpen && { days: [fromSunday[first] as string] }) })
  }
  return (
    <Stack gap="xs">
      <NativeSelect
        label={texts.label}
        maw={260}
        value={repeat.kind}
        onChange={(event) => choose(event.currentTarget.value as DraftRepeat['kind'])}
        data={repeatKinds.map((kind) => ({ value: kind, label: texts.kinds[kind] }))}
      />
      {repeat.kind === 'weekly' && <Weekdays repeat={repeat} onChange={set} fault={faultOf('repeat.rule')} />}
      {repeat.kind === 'rule' && (
        <TextInput
          data-field="repeat.rule"
          label={texts.rule}
          description={texts.ruleHint}
          dir="ltr"
          placeholder="FREQ=MONTHLY;BYDAY=1MO"
          value={repeat.rule}
          error={faultOf('repeat.rule')}
          onChange={(event) => set({ rule: event.currentTarget.value })}
        />
      )}
      {repeat.kind !== 'none' && (
        <>
          <End repeat={repeat} onChange={set} />
          <NextMoments repeat={repeat} />
        </>
      )}
    </Stack>
  )
}

interface PartProps {
  repeat: DraftRepeat
  onChange(changes: Partial<DraftRepeat>): void
}

function Weekdays({ repeat, onChange, fault }: PartProps & { fault: string | undefined }) {
  const { repeat: texts } = useTexts().send
  const { language } = useLanguage()
  const locale = language === 'fa' ? 'fa-IR' : 'en'
  return (
    <Checkbox.Group
      label={texts.days}
      value={repeat.days}
      error={fault}
      onChange={(days) => onChange({ days: weekdays.en.filter((day) => days.includes(day)) })}
    >
      <Group gap="sm" mt={4} data-field="repeat.rule" tabIndex={-1}>
        {weekdays[language].map((day) => (
          <Checkbox key={day} value={day} label={nameDay(day, locale)} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}

function End({ repeat, onChange }: PartProps) {
  const { repeat: texts } = useTexts().send
  const { faultOf } = useSending()
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label={texts.end}
        value={repeat.end}
        onChange={(event) => onChange({ end: event.currentTarget.value as DraftRepeat['end'] })}
        data={(['never', 'count', 'until'] as const).map((end) => ({ value: end, label: texts.ends[end] }))}
      />
      {repeat.end === 'count' && (
        <TextInput
          data-field="repeat.count"
          label={texts.count}
          inputMode="numeric"
          w={120}
          value={repeat.count}
          error={faultOf('repeat.count')}
          onChange={(event) => onChange({ count: event.currentTarget.value })}
        />
      )}
      {repeat.end === 'until' && (
        <MomentField
          data-field="repeat.until"
          label={texts.until}
          value={repeat.until}
          error={faultOf('repeat.until')}
          onChange={(moment) => onChange({ until: moment ?? '' })}
        />
      )}
    </Group>
  )
}

/** When it would go first, as the service says. */
function NextMoments({ repeat }: { repeat: DraftRepeat }) {
  const { repeat: texts } = useTexts().send
  const { draft } = useSending()
  const format = useFormat()
  const sendAt = readWhen(draft.when)
  const sayWhen = useSayWhen()
  const start = typeof sendAt === 'string' ? undefined : sendAt
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const composed = start === undefined ? undefined : composeRepeat(repeat, new Date(draft.when.at), zone).repeat
  const moments = useNextMoments(composed, start ?? 0)
  if (composed === undefined || moments === undefined) return null
  return (
    <Input.Wrapper label={texts.next} labelElement="div">
      <List size="sm" listStyleType="none" data-moments>
        {moments.map((at) => (
          <List.Item key={at}>
            <Text span size="sm">
              {typeof start === 'object' ? sayWhen(occursAt(at, true)) : `${format.weekday(at)}, ${format.clock(at)}`}
            </Text>
          </List.Item>
        ))}
      </List>
    </Input.Wrapper>
  )
}
