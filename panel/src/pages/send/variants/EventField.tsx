import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEventNames } from '../../events/queries.ts'
import { useSending } from '../sending.ts'

interface EventFieldProps {
  field: string
  label: string
  hint?: string
  placeholder?: string
  fault?: string | undefined
  value: string
  onChange(event: string): void
}

/** The name of an event, with those that the app has to choose from. */
export function EventField({ field, label, hint, placeholder, fault, value, onChange }: EventFieldProps) {
  const { faultOf } = useSending()
  const [search] = useDebouncedValue(value.trim(), 300)
  const { data } = useEventNames(search)
  return (
    <Autocomplete
      label={label}
      description={hint}
      placeholder={placeholder ?? ''}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      data={(data?.data ?? []).map(({ name }) => name)}
      filter={({ options }) => options}
      limit={20}
      value={value}
      onChange={onChange}
      error={fault ?? faultOf(field)}
      maxLength={255}
      autoComplete="off"
      dir="auto"
      data-field={field}
    />
  )
}
