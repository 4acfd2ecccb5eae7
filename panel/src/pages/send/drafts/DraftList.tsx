import { ActionIcon, Badge, Group, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import type { DraftLine } from '@peyk/contract'
import { IconCheck, IconFiles, IconPencil, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useApp } from '#api/use-app.ts'
import { Answer } from '#parts/Answer.tsx'
import { EmptyState } from '#parts/EmptyState.tsx'
import { useToast } from '#parts/hooks/use-toast.ts'
import { useUndo } from '#parts/hooks/use-undo.tsx'
import { useStoredLine } from '#parts/tables/use-stored-line.ts'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import type { Composer } from '../use-composer.ts'
import classes from './DraftList.module.css'
import { useDeleteDraft, useDrafts, useReadDraft, useRenameDraft, useRestoreDraft } from './queries.ts'

interface DraftListProps {
  composer: Composer
  onClose(): void
}

/** All drafts of the app, whoever made them. */
export function DraftList({ composer, onClose }: DraftListProps) {
  const { drafts: texts, common } = useTexts()
  const list = useDrafts()
  return (
    <Modal opened onClose={onClose} title={texts.all} size="lg" closeButtonProps={{ 'aria-label': common.close }}>
      <Answer of={list}>
        {(lines) =>
          lines.length === 0 ? (
            <EmptyState icon={IconFiles} title={texts.none} text={texts.noneText} />
          ) : (
            <Stack gap={0} component="ul" className={classes.list}>
              {lines.map((line) => (
                <Line key={line.id} line={line} composer={composer} onClose={onClose} />
              ))}
            </Stack>
          )
        }
      </Answer>
    </Modal>
  )
}

function Line({ line, composer, onClose }: DraftListProps & { line: DraftLine }) {
  const { drafts: texts } = useTexts()
  const { email } = useApp()
  const format = useFormat()
  const toast = useToast()
  const read = useReadDraft()
  const remove = useRemoveListed()
  const stored = useStoredLine()
  const [isNaming, setIsNaming] = useState(false)
  const isOpen = composer.open.id === line.id
  const open = async () => {
    if (isOpen) return onClose()
    try {
      await composer.flush()
      composer.showStored(await read.mutateAsync(line.id))
      onClose()
    } catch (error) {
      toast.failed(error)
    }
  }
  if (isNaming) return <Naming line={line} composer={composer} onDone={() => setIsNaming(false)} />
  return (
    <Group component="li" className={classes.line} wrap="nowrap" gap="xs">
      <UnstyledButton className={classes.name} onClick={() => void open()} disabled={read.isPending}>
        <Group gap="xs" wrap="nowrap">
          <Text fw={600} truncate {...stored}>
            {line.name}
          </Text>
          {isOpen && (
            <Badge variant="light" tt="none" style={{ flex: 'none' }}>
              {texts.openNow}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed" truncate title={format.moment(line.updatedAt)}>
          {texts.edited(line.updatedBy === email ? texts.you : line.updatedBy, format.ago(line.updatedAt))}
        </Text>
      </UnstyledButton>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={34}
        aria-label={texts.renameOf(line.name)}
        onClick={() => setIsNaming(true)}
      >
        <IconPencil size={17} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={34}
        aria-label={texts.deleteOf(line.name)}
        onClick={() => {
          if (isOpen) composer.startNew()
          void remove(line)
        }}
      >
        <IconTrash size={17} />
      </ActionIcon>
    </Group>
  )
}

function Naming({ line, composer, onDone }: { line: DraftLine; composer: Composer; onDone(): void }) {
  const { drafts: texts, common } = useTexts()
  const toast = useToast()
  const rename = useRenameDraft(line.id)
  const [name, setName] = useState(line.name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return
    if (composer.open.id === line.id) {
      composer.rename(name.trim())
      onDone()
    } else rename.mutate({ name: name.trim() }, { onSuccess: onDone, onError: toast.failed })
  }
  return (
    <li className={classes.line}>
      <form onSubmit={submit} className={classes.form}>
        <TextInput
          aria-label={texts.name}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          maxLength={100}
          dir="auto"
          style={{ flex: 1 }}
          autoFocus
        />
        <ActionIcon type="submit" size={36} aria-label={common.save} loading={rename.isPending}>
          <IconCheck size={18} />
        </ActionIcon>
      </form>
    </li>
  )
}

function useRemoveListed() {
  const { drafts: texts } = useTexts()
  const remove = useDeleteDraft()
  const restore = useRestoreDraft()
  const undo = useUndo()
  const toast = useToast()
  return async (line: DraftLine) => {
    try {
      const stored = await remove.mutateAsync(line)
      undo(texts.deleted(line.name), () => void restore.mutateAsync(stored).catch(toast.failed))
    } catch (error) {
      toast.failed(error)
    }
  }
}
