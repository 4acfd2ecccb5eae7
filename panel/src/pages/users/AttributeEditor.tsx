import { Autocomplete, Button, Group, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import type { UserAttribute } from '@peyk/contract'
import { type FormEvent, useState } from 'react'
import { MomentField } from '../../parts/fields/MomentField.tsx'
import { NumberField } from '../../parts/fields/NumberField.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { useUndo } from '../../parts/hooks/use-undo.tsx'
import { useSegmentFields } from '../../parts/segment-builder/use-segment-fields.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { type AttributeKind, attributeKinds, readTyped, showTyped, type Typed } from './attribute-kinds.ts'
import { useSetAttributes } from './queries.ts'

interface AttributeEditorProps {
  userId: string
  /** Without one a new one is made. */
  attribute?: UserAttribute
  onDone(): void
}

/** An attribute and its value; the kind is the one that the name has in this app, if it has one. */
export function AttributeEditor({ userId, attribute, onDone }: AttributeEditorProps) {
  const { users: texts, common } = useTexts()
  const toast = useToast()
  const offerUndo = useUndo()
  const { data: fields } = useSegmentFields()
  const save = useSetAttributes(userId)
  const [name, setName] = useState(attribute?.name ?? '')
  const [chosen, setChosen] = useState<AttributeKind>((attribute?.kind as AttributeKind | undefined) ?? 'text')
  const known = attribute ? undefined : fields?.attributes.find((field) => field.name === name.trim())
  const kind = (known?.kind as AttributeKind | undefined) ?? chosen
  const [typed, setTyped] = useState<Typed>(showTyped(kind, attribute?.value))
  const value = readTyped(kind, Array.isArray(typed) === (kind === 'list') ? typed : kind === 'list' ? [] : '')
  const send = (sent: unknown) =>
    save.mutate(
      { attributes: { [name.trim()]: sent } },
      {
        onSuccess: ({ warnings }) => {
          toast.done(warnings?.[0] ?? common.saved)
          onDone()
        },
        onError: toast.failed,
      },
    )
  const remove = async ({ name, value }: UserAttribute) => {
    const set = (sent: unknown) => save.mutateAsync({ attributes: { [name]: sent } })
    await set(null).then(() => {
      offerUndo(texts.attributeRemoved(name), () => void set(value).catch(toast.failed))
      onDone()
    }, toast.failed)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '' && value !== undefined) send(value)
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        {attribute === undefined && (
          <Autocomplete
            label={texts.name}
            size="xs"
            data={fields?.attributes.map((field) => field.name) ?? []}
            value={name}
            onChange={setName}
            limit={20}
            maxLength={255}
            autoFocus
          />
        )}
        <Group gap="xs" wrap="nowrap" align="flex-end">
          <Select
            label={texts.kind}
            size="xs"
            data={attributeKinds.map((each) => ({ value: each, label: texts.kinds[each] }))}
            value={kind}
            onChange={(next) => {
              if (next === null) return
              setChosen(next as AttributeKind)
              setTyped(next === 'list' ? [] : '')
            }}
            disabled={known !== undefined}
            allowDeselect={false}
            w={110}
          />
          <div style={{ flex: 1, minWidth: 0 }}>
            <TypedInput label={attribute?.name ?? texts.value} kind={kind} typed={typed} onChange={setTyped} />
          </div>
        </Group>
        <Group gap="xs" justify="flex-end">
          {attribute !== undefined && (
            <Button size="compact-xs" variant="subtle" color="red" onClick={() => void remove(attribute)} me="auto">
              {texts.removeAttribute}
            </Button>
          )}
          <Button size="compact-xs" variant="default" onClick={onDone}>
            {common.cancel}
          </Button>
          <Button
            size="compact-xs"
            type="submit"
            loading={save.isPending}
            disabled={name.trim() === '' || value === undefined}
          >
            {common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface TypedInputProps {
  label: string
  kind: AttributeKind
  typed: Typed
  onChange(typed: Typed): void
}

function TypedInput({ label, kind, typed, onChange }: TypedInputProps) {
  const { users: texts } = useTexts()
  const text = Array.isArray(typed) ? '' : typed
  const shared = { label, size: 'xs' as const }
  switch (kind) {
    case 'list':
      return <TagsInput {...shared} value={Array.isArray(typed) ? typed : []} onChange={onChange} acceptValueOnBlur />
    case 'number':
      return (
        <NumberField
          {...shared}
          value={text === '' ? undefined : Number(text)}
          onChange={(number) => onChange(String(number ?? ''))}
        />
      )
    case 'boolean':
      return (
        <Select
          {...shared}
          data={[
            { value: 'true', label: texts.true },
            { value: 'false', label: texts.false },
          ]}
          value={text === '' ? null : text}
          onChange={(word) => onChange(word ?? '')}
        />
      )
    case 'date':
      return <MomentField {...shared} value={text} onChange={(moment) => onChange(moment ?? '')} />
    default:
      return (
        <TextInput
          {...shared}
          dir="auto"
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )
  }
}
