import { TextInput, type TextInputProps } from '@mantine/core'
import { useFormat, useLanguage } from '../../texts/LanguageProvider.tsx'
import { clockOf } from './clock-of.ts'

interface MomentFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** Milliseconds, or ISO 8601. */
  value: unknown
  /** ISO 8601; undefined while the moment is not whole. */
  onChange(value: string | undefined): void
}

/** A moment in the member's own time zone. Browsers ask for it in their own calendar: the one of the language stands below. */
export function MomentField({ value, onChange, ...input }: MomentFieldProps) {
  const { language } = useLanguage()
  const format = useFormat()
  const time = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN
  const isKnown = !Number.isNaN(time)
  return (
    <TextInput
      {...input}
      type="datetime-local"
      dir="ltr"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...(isKnown && language !== 'en' && { description: format.moment(time) })}
      value={isKnown ? clockOf(time) : ''}
      onChange={({ currentTarget }) => {
        const typed = Date.parse(currentTarget.value)
        onChange(Number.isNaN(typed) ? undefined : new Date(typed).toISOString())
      }}
    />
  )
}
