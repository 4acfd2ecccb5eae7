import { Button, Group, Menu, Stack, Text } from '@mantine/core'
import {
  IconBookmarkPlus,
  IconChevronDown,
  IconFiles,
  IconLayoutGrid,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useApp } from '#api/use-app.ts'
import { useFaultText } from '#parts/Fault.tsx'
import { useToast } from '#parts/hooks/use-toast.ts'
import { useUndo } from '#parts/hooks/use-undo.tsx'
import { NameDialog } from '#parts/NameDialog.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { nameDraft } from '../draft/name-draft.ts'
import { isEmptyDraft } from '../draft/open-draft.ts'
import type { Composer } from '../use-composer.ts'
import { ChooseTemplate } from './ChooseTemplate.tsx'
import { DraftList } from './DraftList.tsx'
import { useDeleteDraft } from './queries.ts'
import { SaveTemplate } from './SaveTemplate.tsx'

/** What the draft is called, whether it is saved, and what can be done with it and others. */
export function DraftBar({ composer }: { composer: Composer }) {
  const { drafts: texts } = useTexts()
  const { may } = useApp()
  const [dialog, setDialog] = useState<'list' | 'name' | 'save' | 'choose'>()
  const remove = useRemove(composer)
  const startNew = useStartNew(composer)
  const { open, draft } = composer
  const isEmpty = isEmptyDraft(draft)
  const name = open.name ?? nameDraft(draft)
  const close = () => setDialog(undefined)
  return (
    <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
      {!isEmpty && (
        <Stack gap={0} style={{ minWidth: 0 }} ta="end">
          <Text size="sm" fw={600} truncate maw={260} dir="auto">
            {name || texts.untitled}
          </Text>
          <SaveState composer={composer} />
        </Stack>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={15} />} style={{ flex: 'none' }}>
            {texts.menu}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPlus size={16} />} disabled={isEmpty} onClick={() => void startNew()}>
            {texts.new}
          </Menu.Item>
          <Menu.Item leftSection={<IconFiles size={16} />} onClick={() => setDialog('list')}>
            {texts.all}
          </Menu.Item>
          <Menu.Item leftSection={<IconPencil size={16} />} disabled={isEmpty} onClick={() => setDialog('name')}>
            {texts.rename}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconLayoutGrid size={16} />} onClick={() => setDialog('choose')}>
            {texts.useTemplate}
          </Menu.Item>
          {may('edit-campaigns') && (
            <Menu.Item
              leftSection={<IconBookmarkPlus size={16} />}
              disabled={isEmpty}
              onClick={() => setDialog('save')}
            >
              {texts.saveTemplate}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconTrash size={16} />}
            color="var(--mantine-color-error)"
            disabled={isEmpty}
            onClick={() => void remove()}
          >
            {texts.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'list' && <DraftList composer={composer} onClose={close} />}
      {dialog === 'choose' && <ChooseTemplate onChoose={composer.applyTemplate} onClose={close} />}
      {dialog === 'save' && <SaveTemplate composer={composer} name={name} onClose={close} />}
      {dialog === 'name' && (
        <NameDialog
          title={texts.renameTitle}
          label={texts.name}
          name={name}
          onSave={(given) => {
            composer.rename(given)
            close()
          }}
          onClose={close}
        />
      )}
    </Group>
  )
}

function SaveState({ composer: { open, saving } }: { composer: Composer }) {
  const { drafts: texts } = useTexts()
  const format = useFormat()
  const say = useFaultText()
  const { isDirty, isAway, refusal, clash } = saving
  const words = () => {
    if (clash) return texts.notSaved
    if (refusal !== undefined) return `${texts.kept} ${say(refusal)}`
    if (isAway) return texts.kept
    if (isDirty) return texts.saving
    return open.savedAt === undefined ? '' : texts.saved(format.clock(open.savedAt))
  }
  return (
    <Text size="xs" c="dimmed" role="status">
      {words()}
    </Text>
  )
}

/** What is on the page first finds a place on the server. */
function useStartNew(composer: Composer) {
  const toast = useToast()
  return async () => {
    try {
      await composer.flush()
      composer.startNew()
    } catch (error) {
      toast.failed(error)
    }
  }
}

function useRemove(composer: Composer) {
  const { drafts: texts } = useTexts()
  const remove = useDeleteDraft()
  const undo = useUndo()
  const toast = useToast()
  return async () => {
    const { open } = composer
    try {
      if (open.version > 0) await remove.mutateAsync(open)
      composer.startNew()
      undo(texts.deleted(open.name ?? (nameDraft(open.draft) || texts.untitled)), () => composer.restore(open))
    } catch (error) {
      toast.failed(error)
    }
  }
}
