import { Checkbox, Collapse, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import type { Draft } from '../../draft/draft.ts'
import { useSending } from '../../sending.ts'
import { SpanInput } from '../SpanInput.tsx'
import { TextField } from '../TextField.tsx'
import { countSmsParts } from './sms-parts.ts'

/** A substitute for those whom the message does not reach. */
export function SmsFields() {
  const { sms: texts } = useTexts().send
  const { draft, change } = useSending()
  const { fallback } = draft
  const set = (changes: Partial<Draft['fallback']>) => change({ fallback: { ...fallback, ...changes } })
  const isPossible = draft.who.kind === 'users'
  return (
    <Stack gap="sm">
      <Checkbox
        label={texts.label}
        description={isPossible ? texts.text : texts.groupsOnly}
        checked={fallback.isOn && isPossible}
        disabled={!isPossible}
        onChange={(event) => set({ isOn: event.currentTarget.checked })}
      />
      <Collapse expanded={fallback.isOn && isPossible}>
        <Stack gap="sm">
          <TextField
            field="fallback.content"
            label={texts.content}
            rows={2}
            isRequired
            isPersonal
            value={fallback.content}
            onChange={(content) => set({ content })}
          />
          <SmsSize text={fallback.content} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <SpanInput
              field="fallback.delay"
              label={texts.delay}
              value={fallback.delay}
              onChange={(delay) => set({ delay })}
            />
            <NativeSelect
              label={texts.policy}
              value={fallback.policy}
              onChange={(event) => set({ policy: event.currentTarget.value as Draft['fallback']['policy'] })}
              data={Object.entries(texts.policies).map(([value, label]) => ({ value, label }))}
            />
          </SimpleGrid>
        </Stack>
      </Collapse>
    </Stack>
  )
}

/** Of the text as the sample user gets it. */
function SmsSize({ text }: { text: string }) {
  const { sms: texts } = useTexts().send
  const { renderedOf } = useSending()
  const format = useFormat()
  const written = renderedOf('fallback.content', text)?.text ?? text
  const { parts, left, isWide } = countSmsParts(written)
  if (parts === 0) return null
  return (
    <Text size="xs" c="dimmed">
      {texts.size(parts, format.number(parts), format.number(left))}
      {isWide && ` · ${texts.wide}`}
    </Text>
  )
}
