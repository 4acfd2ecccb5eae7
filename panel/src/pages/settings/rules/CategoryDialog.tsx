import { ActionIcon, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import type { Category, createCategory, replaceCategory } from '@peyk/contract'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useAppMutation } from '#api/use-app-query.ts'
import { Fault } from '#parts/Fault.tsx'
import { FormButtons } from '#parts/fields/FormButtons.tsx'
import { useToast } from '#parts/hooks/use-toast.ts'
import { useLanguage, useTexts } from '#texts/LanguageProvider.tsx'
import { type Line, linesOf, textsOf } from './category-lines.ts'

interface CategoryDialogProps {
  category: Category | 'new' | undefined
  onClose(): void
}

export function CategoryDialog({ category, onClose }: CategoryDialogProps) {
  const { rules, common } = useTexts()
  const { language } = useLanguage()
  const toast = useToast()
  const old = category === 'new' ? undefined : category
  const [id, setId] = useState(old?.id ?? '')
  const [lines, setLines] = useState<Line[]>(() => linesOf(old, language))
  const save = useAppMutation<typeof createCategory | typeof replaceCategory>(
    old === undefined ? 'POST' : 'PUT',
    old === undefined ? '/categories' : `/categories/${encodeURIComponent(old.id)}`,
    {
      refreshes: ['/categories'],
      onSuccess: () => {
        onClose()
        toast.done(common.saved)
      },
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ ...(old === undefined && { id }), ...textsOf(lines) } as Parameters<typeof save.mutate>[0])
  }
  const change = (index: number, changed: Partial<Line>) =>
    setLines(lines.map((line, at) => (at === index ? { ...line, ...changed } : line)))
  return (
    <Modal
      opened={category !== undefined}
      onClose={onClose}
      title={old === undefined ? rules.newCategory : rules.edit(old.id)}
      closeButtonProps={{ 'aria-label': common.close }}
      size="lg"
    >
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={rules.id}
            description={rules.idText}
            placeholder="news"
            required
            withAsterisk={false}
            pattern="[a-z0-9][a-z0-9._\-]*"
            maxLength={64}
            dir="ltr"
            readOnly={old !== undefined}
            variant={old === undefined ? 'default' : 'filled'}
            value={id}
            onChange={(event) => setId(event.currentTarget.value)}
            data-autofocus
          />
          <Text size="sm" c="dimmed">
            {rules.textsLead}
          </Text>
          {lines.map((line, index) => (
            <Group key={line.key} align="flex-end" gap="xs">
              <TextInput
                label={rules.language}
                w={90}
                dir="ltr"
                required
                withAsterisk={false}
                pattern="[A-Za-z]{2,8}([\-_][A-Za-z0-9]{1,8})*"
                value={line.language}
                onChange={(event) => change(index, { language: event.currentTarget.value })}
              />
              <TextInput
                label={rules.name}
                style={{ flex: '1 1 9rem' }}
                required
                withAsterisk={false}
                maxLength={100}
                dir="auto"
                value={line.name}
                onChange={(event) => change(index, { name: event.currentTarget.value })}
              />
              <TextInput
                label={rules.description}
                style={{ flex: '2 1 14rem' }}
                maxLength={300}
                dir="auto"
                value={line.description}
                onChange={(event) => change(index, { description: event.currentTarget.value })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                disabled={lines.length === 1}
                onClick={() => setLines(lines.filter((_, at) => at !== index))}
                aria-label={rules.removeLanguage(line.language)}
              >
                <IconTrash size={17} />
              </ActionIcon>
            </Group>
          ))}
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} />}
              onClick={() => setLines([...lines, ...linesOf(undefined, '')])}
            >
              {rules.addLanguage}
            </Button>
          </Group>
          {save.isError && <Fault error={save.error} />}
          <FormButtons
            onCancel={onClose}
            {...(old === undefined && { submit: rules.create })}
            isBusy={save.isPending}
          />
        </Stack>
      </form>
    </Modal>
  )
}
