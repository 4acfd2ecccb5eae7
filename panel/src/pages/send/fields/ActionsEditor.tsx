import { ActionIcon, Box, Button, Checkbox, Collapse, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconChevronDown, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { type DraftAction, emptyAction } from '../draft/draft.ts'
import { withoutAction } from '../draft/draft-languages.ts'
import { focusField } from '../focus-field.ts'
import { useSending } from '../sending.ts'
import { withoutActionInTest } from '../variants/draft-test.ts'
import classes from './ActionsEditor.module.css'
import { TextField } from './TextField.tsx'

/** The buttons under a notification. */
export function ActionsEditor() {
  const { actions: texts } = useTexts().send
  const { draft, change, changeNotification } = useSending()
  const { actions } = draft.notification
  const set = (next: DraftAction[]) => changeNotification({ actions: next })
  const remove = (index: number) =>
    change({
      notification: { ...draft.notification, actions: actions.filter((_, at) => at !== index) },
      languages: withoutAction(draft.languages, index),
      test: withoutActionInTest(draft.test, index),
    })
  return (
    <Stack gap="xs">
      {actions.length > 0 && (
        <Text size="sm" fw={600}>
          {texts.label}
        </Text>
      )}
      {actions.map((action, index) => (
        <ActionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a button is its place
          key={index}
          index={index}
          action={action}
          onChange={(changes) => set(actions.map((old, at) => (at === index ? { ...old, ...changes } : old)))}
          onRemove={() => remove(index)}
        />
      ))}
      <Group gap="sm">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => {
            set([...actions, emptyAction])
            focusField(`notification.actions[${actions.length}].title`)
          }}
        >
          {texts.add}
        </Button>
        {actions.length > 2 && (
          <Text size="xs" c="dimmed">
            {texts.most}
          </Text>
        )}
      </Group>
    </Stack>
  )
}

interface ActionFieldsProps {
  index: number
  action: DraftAction
  onChange(changes: Partial<DraftAction>): void
  onRemove(): void
}

/** The fields that few buttons need. They open by themselves when one of them is wrong. */
const rare = ['id', 'icon', 'action', 'options'] as const
const flags = { authentication: 1, destructive: 2, foreground: 4 } as const

function ActionFields({ index, action, onChange, onRemove }: ActionFieldsProps) {
  const { actions: texts } = useTexts().send
  const format = useFormat()
  const { faultOf } = useSending()
  const at = `notification.actions[${index}]`
  const [isAsked, setIsAsked] = useState(false)
  const isOpen = isAsked || rare.some((name) => faultOf(`${at}.${name}`) !== undefined)
  return (
    <Box className={classes.action} role="group" aria-label={texts.one(format.number(index + 1))}>
      <Group align="flex-start" gap="sm" wrap="nowrap">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" style={{ flex: 1 }}>
          <TextField
            field={`${at}.title`}
            label={texts.title}
            isRequired
            isPersonal
            hasEmoji
            value={action.title}
            onChange={(title) => onChange({ title })}
          />
          <TextField
            field={`${at}.url`}
            label={texts.url}
            isCode
            isPersonal
            value={action.url}
            onChange={(url) => onChange({ url })}
          />
        </SimpleGrid>
        <ActionIcon
          variant="subtle"
          color="gray"
          mt={26}
          onClick={onRemove}
          aria-label={texts.remove(format.number(index + 1))}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        mt={6}
        aria-expanded={isOpen}
        onClick={() => setIsAsked(!isOpen)}
        rightSection={<IconChevronDown size={13} className={classes.chevron} data-open={isOpen || undefined} />}
      >
        {texts.details}
      </Button>
      <Collapse expanded={isOpen}>
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm" mt="xs">
          <TextField
            field={`${at}.id`}
            label={texts.id}
            hint={texts.idHint}
            placeholder={`action-${index + 1}`}
            isCode
            value={action.id}
            onChange={(id) => onChange({ id })}
          />
          <TextField
            field={`${at}.icon`}
            label={texts.icon}
            hint={texts.iconHint}
            isCode
            value={action.icon}
            onChange={(icon) => onChange({ icon })}
          />
          <TextField
            field={`${at}.action`}
            label={texts.action}
            hint={texts.actionHint}
            isCode
            value={action.action}
            onChange={(kind) => onChange({ action: kind })}
          />
        </SimpleGrid>
        <Group gap="lg" mt="sm" role="group" aria-label={texts.options}>
          <Text size="sm" c="dimmed">
            {texts.options}
          </Text>
          {Object.entries(flags).map(([name, bit]) => (
            <Checkbox
              key={name}
              size="xs"
              label={texts[name as keyof typeof flags]}
              checked={(action.options & bit) !== 0}
              onChange={() => onChange({ options: action.options ^ bit })}
            />
          ))}
        </Group>
      </Collapse>
    </Box>
  )
}
