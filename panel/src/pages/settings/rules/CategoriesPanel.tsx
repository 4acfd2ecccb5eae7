import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import type { Category, deleteCategory } from '@peyk/contract'
import { IconCategory, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useAppMutation } from '#api/use-app-query.ts'
import { useConfirm } from '#parts/Confirm.tsx'
import { EmptyState } from '#parts/EmptyState.tsx'
import { useToast } from '#parts/hooks/use-toast.ts'
import { Mono } from '#parts/Mono.tsx'
import { Panel } from '#parts/Panel.tsx'
import { textIn } from '#parts/text-in.ts'
import { useLanguage, useTexts } from '#texts/LanguageProvider.tsx'
import { CategoryDialog } from './CategoryDialog.tsx'

export function CategoriesPanel({ categories }: { categories: readonly Category[] }) {
  const { rules } = useTexts()
  const [edited, setEdited] = useState<Category | 'new'>()
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
      {rules.newCategory}
    </Button>
  )
  return (
    <Panel title={rules.categories} lead={rules.categoriesLead} actions={add}>
      {categories.length === 0 ? (
        <EmptyState icon={IconCategory} title={rules.none} text={rules.noneText} />
      ) : (
        <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
          {categories.map((category) => (
            <CategoryLine key={category.id} category={category} onEdit={() => setEdited(category)} />
          ))}
        </Stack>
      )}
      <CategoryDialog
        key={edited === 'new' ? 'new' : edited?.id}
        category={edited}
        onClose={() => setEdited(undefined)}
      />
    </Panel>
  )
}

function CategoryLine({ category, onEdit }: { category: Category; onEdit: () => void }) {
  const { rules, common } = useTexts()
  const { language } = useLanguage()
  const toast = useToast()
  const confirm = useConfirm()
  const name = textIn(category.name, language)
  const remove = useAppMutation<typeof deleteCategory>('DELETE', `/categories/${encodeURIComponent(category.id)}`, {
    refreshes: ['/categories'],
    onSuccess: () => toast.done(rules.deleted(name)),
  })
  const ask = async () => {
    const question = { title: rules.deleteTitle(name), text: rules.deleteText, confirmLabel: common.delete }
    if (await confirm({ ...question, danger: true })) remove.mutate(undefined, { onError: toast.failed })
  }
  return (
    <Group component="li" justify="space-between" align="flex-start" wrap="nowrap">
      <div>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          <Mono>{category.id}</Mono>
        </Group>
        {category.description && (
          <Text size="sm" c="dimmed">
            {textIn(category.description, language)}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {rules.languages(Object.keys(category.name))}
        </Text>
      </div>
      <Group gap={4} wrap="nowrap">
        <ActionIcon variant="subtle" color="gray" onClick={onEdit} aria-label={rules.edit(name)}>
          <IconPencil size={17} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="red"
          onClick={() => void ask()}
          loading={remove.isPending}
          aria-label={rules.remove(name)}
        >
          <IconTrash size={17} />
        </ActionIcon>
      </Group>
    </Group>
  )
}
