import { ActionIcon, Menu } from '@mantine/core'
import type { SegmentDetail } from '@peyk/contract'
import { IconCopy, IconDots, IconFileDownload, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useApp } from '../../api/use-app.ts'
import { appKey } from '../../api/use-app-query.ts'
import { useGo } from '../../parts/AppLink.tsx'
import { useConfirm } from '../../parts/Confirm.tsx'
import { useDownload } from '../../parts/hooks/use-download.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useDeleteSegment } from './queries.ts'

/** What else can be done with a saved segment. */
export function SegmentMenu({ saved, onGone }: { saved: SegmentDetail; onGone(): void }) {
  const { segments: texts, common } = useTexts()
  const { appId, may } = useApp()
  const go = useGo()
  const confirm = useConfirm()
  const toast = useToast()
  const download = useDownload()
  const client = useQueryClient()
  const remove = useDeleteSegment(saved.id)
  const ask = async () => {
    const isSure = await confirm({
      title: texts.deleteTitle(saved.name),
      text: texts.deleteText,
      confirmLabel: texts.delete,
      danger: true,
    })
    if (!isSure) return
    remove.mutate(undefined, {
      onSuccess: () => {
        toast.done(texts.deleted, { isOfNextPage: true })
        onGone()
        go('/segments')
        void client.invalidateQueries({ queryKey: appKey(appId, '/segments'), exact: true })
      },
      onError: toast.failed,
    })
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={texts.more}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {may('edit-segments') && (
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => go('/segments/new', { copy: saved.id })}>
            {texts.duplicate}
          </Menu.Item>
        )}
        {may('export') && (
          <Menu.Item
            leftSection={<IconFileDownload size={16} />}
            onClick={() => void download({ path: `/segments/${saved.id}/users.csv`, fileName: `${saved.name}.csv` })}
          >
            {common.download}
          </Menu.Item>
        )}
        {may('edit-segments') && (
          <Menu.Item
            leftSection={<IconTrash size={16} />}
            color="var(--mantine-color-error)"
            onClick={() => void ask()}
          >
            {texts.delete}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
