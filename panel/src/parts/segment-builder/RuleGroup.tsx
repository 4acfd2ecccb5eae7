import { ActionIcon, Button, Group, SegmentedControl, Text, Tooltip } from '@mantine/core'
import type { SegmentFields } from '@peyk/contract'
import { IconFolderPlus, IconPlus, IconTrash } from '@tabler/icons-react'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useStableCallback } from '../hooks/use-stable-callback.ts'
import { RuleRow } from './RuleRow.tsx'
import classes from './SegmentBuilder.module.css'
import {
  firstRule,
  type GroupDraft,
  isGroup,
  maxDepth,
  newGroup,
  type PartDraft,
  type RuleDraft,
} from './segment-draft.ts'

export interface PlaceFault {
  /** Such as `all[2].any[0]`. */
  field: string
  message: string
}

interface RuleGroupProps {
  group: GroupDraft
  fields: SegmentFields
  depth: number
  /** Where it stands in the segment, as the service names places. */
  path: string
  fault: PlaceFault | undefined
  /** The key of the rule that was added last: it takes the focus. */
  added: string | undefined
  onAdded(key: string): void
  onChange(group: GroupDraft): void
  onRemove?: () => void
}

/** Rules that must all hold, or of which one must, and groups among them. */
export function RuleGroup(props: RuleGroupProps) {
  const { group, fields, depth, path, fault, added, onAdded, onChange, onRemove } = props
  const { segments: texts } = useTexts()
  const change = useStableCallback((index: number, part: PartDraft) =>
    onChange({ ...group, parts: group.parts.with(index, part) }),
  )
  const remove = useStableCallback((index: number) => onChange({ ...group, parts: group.parts.toSpliced(index, 1) }))
  const add = (rule: RuleDraft, part: PartDraft = rule) => {
    onAdded(rule.key)
    onChange({ ...group, parts: [...group.parts, part] })
  }
  const word = group.mode === 'all' ? texts.sentence.and : texts.sentence.or
  return (
    <fieldset
      className={classes.group}
      data-nested={depth > 1 || undefined}
      aria-label={texts[group.mode === 'all' ? 'allOf' : 'anyOf']}
    >
      {(group.parts.length > 1 || depth > 1) && (
        <Group justify="space-between" wrap="nowrap">
          <SegmentedControl
            size="xs"
            aria-label={texts.groupLabel}
            data={[
              { value: 'all', label: texts.allOf },
              { value: 'any', label: texts.anyOf },
            ]}
            value={group.mode}
            onChange={(mode) => onChange({ ...group, mode: mode as GroupDraft['mode'] })}
          />
          {onRemove && (
            <Tooltip label={texts.removeGroup}>
              <ActionIcon variant="subtle" color="gray" aria-label={texts.removeGroup} onClick={onRemove}>
                <IconTrash size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      )}
      {group.parts.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.noRules}
        </Text>
      )}
      {group.parts.map((part, index) => {
        const place = `${path}${path === '' ? '' : '.'}${group.mode}[${index}]`
        return (
          <div key={part.key} className={classes.part}>
            {index > 0 && (
              <Text size="xs" fw={650} c="dimmed" className={classes.word}>
                {word}
              </Text>
            )}
            {isGroup(part) ? (
              <RuleGroup
                group={part}
                fields={fields}
                depth={depth + 1}
                path={place}
                fault={fault}
                added={added}
                onAdded={onAdded}
                onChange={(changed) => change(index, changed)}
                onRemove={() => remove(index)}
              />
            ) : (
              <RuleRow
                rule={part}
                index={index}
                fields={fields}
                isAdded={part.key === added}
                fault={fault && isWithin(fault.field, place) ? fault.message : undefined}
                onChange={change}
                onRemove={remove}
              />
            )}
          </div>
        )
      })}
      <Group gap="xs">
        <Button size="xs" variant="light" leftSection={<IconPlus size={15} />} onClick={() => add(firstRule())}>
          {texts.addRule}
        </Button>
        {depth < maxDepth && group.parts.length > 0 && (
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconFolderPlus size={15} />}
            onClick={() => {
              const rule = firstRule()
              add(rule, newGroup(group.mode === 'all' ? 'any' : 'all', [rule]))
            }}
          >
            {texts.addGroup}
          </Button>
        )}
      </Group>
    </fieldset>
  )
}

function isWithin(field: string, place: string): boolean {
  return field === place || field.startsWith(`${place}.`)
}
