import { Radio, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import classes from './Choice.module.css'

interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  onChange(value: Value): void
  /** One was pressed with the pointer; the keyboard goes through them all. */
  onPress?(value: Value): void
  options: readonly { value: Value; label: string; text?: string }[]
}

/** One of a few, all to be seen at once. */
export function Choice<Value extends string>({ label, value, onChange, onPress, options }: ChoiceProps<Value>) {
  return (
    <Radio.Group
      value={value}
      onChange={(chosen) => onChange(chosen as Value)}
      label={<VisuallyHidden>{label}</VisuallyHidden>}
      labelProps={{ className: classes.label }}
    >
      <div className={classes.options}>
        {options.map((option) => (
          <UnstyledButton
            component="label"
            key={option.value}
            className={classes.option}
            onPointerUp={() => onPress?.(option.value)}
            data-chosen={option.value === value || undefined}
          >
            <Radio value={option.value} size="xs" mt={3} />
            <span>
              <Text size="sm" fw={550}>
                {option.label}
              </Text>
              {option.text !== undefined && (
                <Text size="xs" c="dimmed">
                  {option.text}
                </Text>
              )}
            </span>
          </UnstyledButton>
        ))}
      </div>
    </Radio.Group>
  )
}
