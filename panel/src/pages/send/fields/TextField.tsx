import { Box, Group, Text, Textarea, TextInput } from '@mantine/core'
import { type ClipboardEvent, type ReactNode, useRef } from 'react'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { sayTemplateFault } from '#texts/say-template-fault.ts'
import { EmojiPicker } from '../emoji/EmojiPicker.tsx'
import { useSending } from '../sending.ts'
import { isTemplate } from './insert-template.ts'
import { ShownLengthNote } from './ShownLengthNote.tsx'
import { measureShown, shownPartOf } from './shown-length.ts'
import { TemplatePicker } from './TemplatePicker.tsx'

interface TextFieldProps {
  /** Where the request has it, such as "notification.title". */
  field: string
  label: string
  value: string
  onChange(value: string): void
  hint?: ReactNode
  placeholder?: string
  rows?: number
  isRequired?: boolean
  /** It may differ from user to user. */
  isPersonal?: boolean
  /** People read it on their phones. */
  hasEmoji?: boolean
  /** An address, a name or a code: left to right in every language. */
  isCode?: boolean
  /** Stands in the field, at its end. */
  button?: ReactNode
  onPaste?(event: ClipboardEvent): void
}

const order = ['label', 'input', 'error', 'description'] as const

/** A text of the message with what is wrong with it, and what the sample user reads. */
export function TextField(props: TextFieldProps) {
  const { field, label, value, onChange, hint, placeholder, rows, isRequired, isPersonal, hasEmoji, isCode } = props
  const { faultOf, renderedOf, sample } = useSending()
  const { send } = useTexts()
  const input = useRef<HTMLTextAreaElement & HTMLInputElement>(null)
  const rendered = renderedOf(field, value)
  const fault =
    faultOf(field) ??
    sayTemplateFault(rendered?.reason, send.templateFaults) ??
    (rendered?.fault && send.templateFault(rendered.fault))

  const length = useShownLength(field, value)
  const insert = (written: string) => {
    const { selectionStart, selectionEnd } = input.current ?? {}
    const start = selectionStart ?? value.length
    onChange(value.slice(0, start) + written + value.slice(selectionEnd ?? start))
    const caret = start + written.length
    requestAnimationFrame(() => {
      input.current?.focus()
      input.current?.setSelectionRange(caret, caret)
    })
  }
  const common = {
    label,
    value,
    ref: input,
    description: (hint !== undefined || length !== undefined) && (
      <>
        {length && <ShownLengthNote length={length} />}
        {hint}
      </>
    ),
    error: fault,
    required: isRequired ?? false,
    ...(isCode && { dir: 'ltr' }),
    // Each paragraph in its own direction. An empty field has that of the page, as its placeholder does.
    styles: { input: { textAlign: 'start', unicodeBidi: isCode || value === '' ? 'normal' : 'plaintext' } } as const,
    inputWrapperOrder: [...order],
    autoComplete: 'off',
    'data-field': field,
    ...(placeholder !== undefined && { placeholder }),
    ...(props.onPaste && { onPaste: props.onPaste }),
    ...(props.button !== undefined && { rightSection: props.button, rightSectionWidth: 80 }),
    ...(isPersonal && {
      rightSection: (
        <Group gap={0} wrap="nowrap">
          {hasEmoji && <EmojiPicker label={label} onPick={insert} />}
          <TemplatePicker label={label} onPick={insert} />
        </Group>
      ),
      ...(hasEmoji && { rightSectionWidth: 64 }),
    }),
  }
  return (
    <Box>
      {rows === undefined ? (
        <TextInput {...common} onChange={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <Textarea
          {...common}
          autosize
          minRows={rows}
          maxRows={14}
          rightSectionProps={{ style: { alignItems: 'flex-start', paddingBlockStart: 4 } }}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {rendered?.text !== undefined && sample?.person && (
        <Text size="xs" c="dimmed" mt={4}>
          {send.fields.forSample(sample.person.userId)}{' '}
          <Text span size="xs" c="var(--mantine-color-text)" dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
            {rendered.text}
          </Text>
        </Text>
      )}
    </Box>
  )
}

/** Of what the sample user reads; not known of a template as long as nobody is there to read it. */
function useShownLength(field: string, value: string) {
  const { draft, renderedOf, sample } = useSending()
  const part = shownPartOf(field, draft, sample?.look.notificationText)
  const read = isTemplate(value) ? renderedOf(field, value)?.text : value
  return part && read !== undefined ? measureShown(read, part) : undefined
}
