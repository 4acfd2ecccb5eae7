import { Autocomplete, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { TagOfUser } from '@peyk/contract'
import { IconPlus } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useApp } from '../../api/use-app.ts'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { useUndo } from '../../parts/hooks/use-undo.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { useSuggestions } from '../../parts/segment-builder/use-segment-fields.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useAddTag, useRemoveTag } from './queries.ts'
import { TagBadge } from './TagBadge.tsx'

export function TagsPanel({ userId, tags }: { userId: string; tags: readonly TagOfUser[] }) {
  const { users: texts } = useTexts()
  const { may } = useApp()
  const toast = useToast()
  const offerUndo = useUndo()
  const add = useAddTag(userId)
  const remove = useRemoveTag(userId)
  const mayEdit = may('edit-users')
  const removeTag = ({ tag, value }: TagOfUser) =>
    remove
      .mutateAsync({ tag })
      .then(
        () =>
          offerUndo(
            texts.tagRemoved(tag),
            () => void add.mutateAsync({ tag, ...(value !== undefined && { value }) }).catch(toast.failed),
          ),
        toast.failed,
      )
  return (
    <Panel title={texts.tags}>
      <Stack gap="sm">
        {tags.length === 0 ? (
          <Text size="sm" c="dimmed">
            {texts.noTags}
          </Text>
        ) : (
          <Group gap={6}>
            {tags.map((tag) => (
              <TagBadge key={tag.tag} tag={tag} onRemove={mayEdit ? () => void removeTag(tag) : undefined} />
            ))}
          </Group>
        )}
        {mayEdit && <NewTag userId={userId} />}
      </Stack>
    </Panel>
  )
}

function NewTag({ userId }: { userId: string }) {
  const { users: texts } = useTexts()
  const toast = useToast()
  const add = useAddTag(userId)
  const [tag, setTag] = useState('')
  const [value, setValue] = useState('')
  const [isUsed, setIsUsed] = useState(false)
  const [prefix] = useDebouncedValue(tag, 150)
  const known = useSuggestions('tags', prefix, isUsed)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (tag.trim() === '') return
    const sent = { tag: tag.trim(), ...(value.trim() !== '' && { value: value.trim() }) }
    add.mutate(sent, {
      onSuccess: () => {
        setTag('')
        setValue('')
      },
      onError: toast.failed,
    })
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <Autocomplete
          label={texts.tag}
          size="xs"
          data={known}
          value={tag}
          onChange={setTag}
          onFocus={() => setIsUsed(true)}
          maxLength={255}
          style={{ flex: 1 }}
        />
        <TextInput
          label={texts.tagValue}
          size="xs"
          value={value}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
          maxLength={255}
          style={{ flex: 1 }}
        />
        <Button
          type="submit"
          size="xs"
          variant="light"
          leftSection={<IconPlus size={14} />}
          loading={add.isPending}
          disabled={tag.trim() === ''}
        >
          {texts.add}
        </Button>
      </Group>
    </form>
  )
}
