import { Alert, Button, JsonInput, Stack } from '@mantine/core'
import { IconBraces, IconListDetails } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { ApiFault } from '../../api/call.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { Fault, useFaultText } from '../Fault.tsx'
import { Loading } from '../Loading.tsx'
import { type PlaceFault, RuleGroup } from './RuleGroup.tsx'
import { type GroupDraft, readDraft, type SegmentValue, writeDraft } from './segment-draft.ts'
import { useSegmentFields } from './use-segment-fields.ts'

interface SegmentRulesProps {
  /** A segment as it goes over the wire; undefined is everybody. */
  value: unknown
  onChange(value: SegmentValue): void
  /** What the count answered, so that it is shown at the rule it is about. */
  error?: Error | null
}

/** The rules of a segment, drawn or as JSON. */
export const SegmentRules = memo(function SegmentRules({ value, onChange, error }: SegmentRulesProps) {
  const { segments: texts } = useTexts()
  const fields = useSegmentFields()
  const [known, setKnown] = useState<unknown>(value)
  const [draft, setDraft] = useState(() => readDraft(value))
  const [added, setAdded] = useState<string>()
  const [wantsJson, setWantsJson] = useState(false)
  if (known !== value) {
    setKnown(value)
    setDraft(readDraft(value))
  }
  const change = (next: SegmentValue, group: GroupDraft | undefined) => {
    setKnown(next)
    setDraft(group)
    onChange(next)
  }
  const isJson = wantsJson || draft === undefined
  const fault = placeOf(error, useFaultText())
  if (fields.data === undefined) {
    return fields.isError ? <Fault error={fields.error} onRetry={() => void fields.refetch()} /> : <Loading rows={2} />
  }
  return (
    <Stack gap="sm">
      {isJson ? (
        <SegmentJson
          value={value}
          isDrawable={draft !== undefined}
          onChange={(next) => change(next, readDraft(next))}
        />
      ) : (
        <RuleGroup
          group={draft}
          fields={fields.data}
          depth={1}
          path=""
          fault={fault}
          added={added}
          onAdded={setAdded}
          onChange={(group) => change(writeDraft(group), group)}
        />
      )}
      {error && (isJson || !fault) && <Fault error={error} />}
      {draft !== undefined && draft.parts.length > 0 && (
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={isJson ? <IconListDetails size={14} /> : <IconBraces size={14} />}
          onClick={() => setWantsJson(!isJson)}
          style={{ alignSelf: 'flex-end' }}
        >
          {isJson ? texts.drawn : texts.json}
        </Button>
      )}
    </Stack>
  )
})

/** The place in the segment that a refusal is about. */
function placeOf(error: Error | null | undefined, say: (error: unknown) => string): PlaceFault | undefined {
  if (!(error instanceof ApiFault)) return undefined
  const field = error.details?.field
  if (typeof field !== 'string' || !/^(all|any)\[/.test(field)) return undefined
  // The row itself says where it is.
  return { field, message: say(error).replace(/Rule \d+ of [^:]*: /, '') }
}

function SegmentJson(props: { value: unknown; isDrawable: boolean; onChange(value: SegmentValue): void }) {
  const { segments: texts } = useTexts()
  const [text, setText] = useState(() => JSON.stringify(props.value, null, 2))
  const [isWrong, setIsWrong] = useState(false)
  return (
    <>
      {!props.isDrawable && <Alert variant="light">{texts.notDrawn}</Alert>}
      <JsonInput
        label={texts.jsonLabel}
        description={texts.jsonHint}
        value={text}
        onChange={(next) => {
          setText(next)
          const read = readObject(next)
          setIsWrong(read === undefined)
          if (read) props.onChange(read)
        }}
        error={isWrong ? texts.jsonWrong : undefined}
        autosize
        minRows={6}
        maxRows={24}
        formatOnBlur
        dir="ltr"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    </>
  )
}

function readObject(text: string): SegmentValue | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as SegmentValue) : undefined
  } catch {
    return undefined
  }
}
