import { ActionIcon, Box, Button, Group, Menu, Text } from '@mantine/core'
import type { Template } from '@peyk/contract'
import { IconCopy, IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useApp } from '../../api/use-app.ts'
import { useLinkTo } from '../../parts/AppLink.tsx'
import { CopyButton } from '../../parts/copy/CopyButton.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { useUndo } from '../../parts/hooks/use-undo.tsx'
import { Mono } from '../../parts/Mono.tsx'
import { NameDialog } from '../../parts/NameDialog.tsx'
import { useStoredLine } from '../../parts/tables/use-stored-line.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { templateOf } from '../send/draft/template-of.ts'
import { useChangeTemplate, useCreateTemplate, useDeleteTemplate, useDuplicateTemplate } from './queries.ts'
import classes from './TemplateCard.module.css'
import { TemplateThumbnail } from './TemplateThumbnail.tsx'
import { TemplateValues } from './TemplateValues.tsx'

export function TemplateCard({ template }: { template: Template }) {
  const { templates: texts } = useTexts()
  const { may, email } = useApp()
  const format = useFormat()
  const linkTo = useLinkTo()
  const line = useStoredLine()
  const { id, name, message, values, updatedAt, updatedBy = '' } = template
  return (
    <Box component="article" className={classes.card} aria-label={name}>
      <TemplateThumbnail message={message} />
      <div className={classes.words}>
        <Text fw={600} truncate title={name} {...line}>
          {name}
        </Text>
        <Text size="sm" c="dimmed" truncate title={format.moment(updatedAt)}>
          {texts.changed(format.ago(updatedAt), updatedBy === email ? texts.you : updatedBy)}
        </Text>
        <TemplateValues values={values} />
        <Group gap={4} wrap="nowrap" mt={4} mih={26}>
          <Text size="xs" c="dimmed" truncate dir="ltr">
            <Mono>{id}</Mono>
          </Text>
          <CopyButton value={id} />
        </Group>
        <Group justify="space-between" mt="xs" wrap="nowrap">
          {may('send-to-one') ? (
            <Button variant="light" size="xs" renderRoot={linkTo('/send', { template: id })}>
              {texts.use}
            </Button>
          ) : (
            <span />
          )}
          {may('edit-campaigns') && <CardMenu template={template} />}
        </Group>
      </div>
    </Box>
  )
}

function CardMenu({ template }: { template: Template }) {
  const { templates: texts } = useTexts()
  const { id, name, message } = template
  const [isNaming, setIsNaming] = useState(false)
  const change = useChangeTemplate()
  const create = useCreateTemplate()
  const duplicate = useDuplicateTemplate()
  const remove = useDeleteTemplate(id)
  const toast = useToast()
  const undo = useUndo()
  const copy = async () => {
    try {
      toast.done(texts.saved((await duplicate.mutateAsync(template)).name))
    } catch (error) {
      toast.failed(error)
    }
  }
  const drop = async () => {
    try {
      await remove.mutateAsync()
      undo(
        texts.deleted(name),
        () => void create.mutateAsync({ id, name, message: templateOf(message) }).catch(toast.failed),
      )
    } catch (error) {
      toast.failed(error)
    }
  }
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={32} aria-label={texts.moreOf(name)}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setIsNaming(true)}>
            {texts.rename}
          </Menu.Item>
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void copy()}>
            {texts.duplicate}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTrash size={16} />}
            color="var(--mantine-color-error)"
            onClick={() => void drop()}
          >
            {texts.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isNaming && (
        <NameDialog
          title={texts.renameTitle}
          label={texts.name}
          name={name}
          isBusy={change.isPending}
          error={change.error}
          onSave={(given) => change.mutate({ id, name: given }, { onSuccess: () => setIsNaming(false) })}
          onClose={() => setIsNaming(false)}
        />
      )}
    </>
  )
}
