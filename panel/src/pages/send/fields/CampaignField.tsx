import { Autocomplete, Group, Stack, Text } from '@mantine/core'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { composeMessage } from '../draft/compose.ts'
import type { Draft } from '../draft/draft.ts'
import { useCodesLeft, useTrackIds } from '../queries.ts'
import { useSending } from '../sending.ts'
import { sayCodesLeft } from './say-codes-left.ts'

/** Chosen before the text is written, which may bring one of its codes. */
export function CampaignField() {
  const { send } = useTexts()
  const { draft, change, faultOf } = useSending()
  const { data } = useTrackIds(draft.trackId)
  const found = data?.data ?? []
  const codes = new Map(found.map(({ trackId, codesLeft }) => [trackId, codesLeft]))
  return (
    <Stack gap={4}>
      <Autocomplete
        label={send.trackId}
        description={send.trackIdHint}
        placeholder={send.trackIdPlaceholder}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        data={[...codes.keys()]}
        renderOption={({ option: { value } }) => <Campaign trackId={value} codesLeft={codes.get(value)} />}
        filter={({ options }) => options}
        value={draft.trackId}
        onChange={(trackId) => change({ trackId })}
        error={faultOf('trackId')}
        dir="ltr"
        autoComplete="off"
        data-field="trackId"
      />
      <CodesLeft draft={draft} />
    </Stack>
  )
}

function Campaign({ trackId, codesLeft }: { trackId: string; codesLeft: number | undefined }) {
  const { campaigns: words } = useTexts()
  const format = useFormat()
  return (
    <Group justify="space-between" flex={1} wrap="nowrap">
      <bdi>{trackId}</bdi>
      {codesLeft !== undefined && (
        <Text size="sm" c="dimmed" dir="auto">
          {words.codesLeft}: {format.number(codesLeft)}
        </Text>
      )}
    </Group>
  )
}

/** How many codes there are, where the message asks for one. */
function CodesLeft({ draft }: { draft: Draft }) {
  const { personal } = useTexts().send
  const format = useFormat()
  const asksForCode = JSON.stringify(composeMessage(draft, '').message).includes('promoCode')
  const { data } = useCodesLeft(draft.trackId, asksForCode)
  if (!asksForCode || data === undefined) return null
  const { text, areNone } = sayCodesLeft(data, draft.trackId, personal, format)
  return (
    <Text size="xs" c={areNone ? 'var(--mantine-color-error)' : 'dimmed'}>
      {personal.promoCode}: {text}
    </Text>
  )
}
