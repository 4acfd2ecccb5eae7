import { ActionIcon, Select, Text, Tooltip } from '@mantine/core'
import type { SegmentFields } from '@peyk/contract'
import { IconX } from '@tabler/icons-react'
import { memo } from 'react'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useStableCallback } from '../hooks/use-stable-callback.ts'
import { type Choice, choiceOf, keepValue, listChoices, type ValueForm } from './choices.ts'
import { labelOfChoice } from './describe-segment.ts'
import { FieldSelect } from './FieldSelect.tsx'
import { kindOfName, operatorsOfKind, readFieldName, writeFieldName } from './field-names.ts'
import classes from './SegmentBuilder.module.css'
import type { RuleDraft } from './segment-draft.ts'
import { ValueInput } from './ValueInput.tsx'

interface RuleRowProps {
  rule: RuleDraft
  /** Its place in the group. */
  index: number
  fields: SegmentFields
  /** It was added just now, so that what it asks for is chosen next. */
  isAdded: boolean
  /** What the service says is wrong with it. */
  fault: string | undefined
  onChange(index: number, rule: RuleDraft): void
  onRemove(index: number): void
}

/** With every key only the rule in which it was typed is drawn. */
export const RuleRow = memo(function RuleRow(props: RuleRowProps) {
  const { rule, index, fields, isAdded, fault, onRemove } = props
  const { segments: texts } = useTexts()
  const kind = kindOfName(rule.name, fields)
  const chosen = choiceOf(kind, rule.operator, rule.value)
  const choices = listChoices(kind, operatorsOfKind(kind, fields), rule.form ? { ...chosen, form: rule.form } : chosen)
  const choice = rule.form ? { ...chosen, form: rule.form } : chosen
  const field = readFieldName(rule.name, fields)

  const onChange = (changed: RuleDraft) => props.onChange(index, changed)
  const rename = useStableCallback((name: string) => {
    const nextKind = kindOfName(name, fields)
    if (nextKind === kind)
      return onChange({ ...rule, name, ...(name !== rule.name && { value: valueAfter(rule, name) }) })
    const operators = operatorsOfKind(nextKind, fields)
    const first = nextKind === 'time' || nextKind === 'date' ? 'after' : (operators[0] ?? 'equal_to')
    onChange({ key: rule.key, name, operator: first, value: undefined })
  })
  const choose = (next: Choice) =>
    onChange({ ...rule, operator: next.operator, form: next.form, value: keepValue(rule.value, choice, next) })

  return (
    <div className={classes.rule} data-faulty={fault !== undefined || undefined}>
      <div className={classes.inputs}>
        <div className={classes.field}>
          <FieldSelect name={rule.name} fields={fields} onChange={rename} isAdded={isAdded} />
        </div>
        {field.of === 'event' && (
          <div className={classes.words} data-longest={Object.values(texts.aggregates).join('\n')}>
            <Select
              aria-label={texts.which}
              data={fields.aggregates.map(({ name }) => ({
                value: name,
                label: texts.aggregates[name as keyof typeof texts.aggregates] ?? name,
              }))}
              value={field.aggregate}
              onChange={(aggregate) => aggregate !== null && rename(writeFieldName({ ...field, aggregate }))}
              allowDeselect={false}
            />
          </div>
        )}
        <div className={classes.words} data-longest={allOperators(texts.operators)}>
          <Select
            aria-label={texts.how}
            data={choices.map((each) => ({ value: wordOf(each), label: labelOfChoice(kind, each, texts) }))}
            value={wordOf(choice)}
            onChange={(word) => {
              const next = choices.find((each) => wordOf(each) === word)
              if (next) choose(next)
            }}
            allowDeselect={false}
            comboboxProps={{ width: 240, position: 'bottom-start' }}
          />
        </div>
        <div className={classes.value}>
          <ValueInput
            key={`${rule.name} ${choice.form}`}
            name={rule.name}
            kind={kind}
            form={choice.form}
            value={rule.value}
            onChange={(value) => onChange({ ...rule, form: choice.form, value })}
          />
        </div>
      </div>
      <Tooltip label={texts.removeRule}>
        <ActionIcon variant="subtle" color="gray" aria-label={texts.removeRule} onClick={() => onRemove(index)} mt={3}>
          <IconX size={16} />
        </ActionIcon>
      </Tooltip>
      {fault !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" className={classes.fault} role="alert">
          {fault}
        </Text>
      )}
    </div>
  )
})

/** One a line: the longest says how wide the select is, whatever is chosen. */
function allOperators(operators: Record<string, Record<string, string>>): string {
  return Object.values(operators).flatMap(Object.values).join('\n')
}

function wordOf({ operator, form }: { operator: string; form: ValueForm }): string {
  return `${operator} ${form}`
}

/** A value that was chosen for one name rarely suits another; times and numbers do. */
function valueAfter(rule: RuleDraft, name: string): unknown {
  const isSameEvent =
    name.slice(name.lastIndexOf('.')) === rule.name.slice(rule.name.lastIndexOf('.')) && name.includes('.')
  return isSameEvent || typeof rule.value === 'number' || rule.operator === 'after' || rule.operator === 'before'
    ? rule.value
    : undefined
}
