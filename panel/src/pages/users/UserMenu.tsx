import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconFileDownload, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useApp } from '../../api/use-app.ts'
import { appKey } from '../../api/use-app-query.ts'
import { useGo } from '../../parts/AppLink.tsx'
import { useConfirm } from '../../parts/Confirm.tsx'
import { useDownload } from '../../parts/hooks/use-download.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useDeleteUser } from './queries.ts'

/** What the law asks for: all of a user's data as a file, and an end to it. */
export function UserMenu({ userId }: { userId: string }) {
  const { users: texts } = useTexts()
  const { appId, may } = useApp()
  const go = useGo()
  const confirm = useConfirm()
  const toast = useToast()
  const download = useDownload()
  const client = useQueryClient()
  const remove = useDeleteUser(userId)
  if (!may('export') && !may('delete-users')) return null
  const ask = async () => {
    const isSure = await confirm({
      title: texts.deleteTitle(userId),
      text: texts.deleteText,
      confirmLabel: texts.delete,
      danger: true,
      typeToConfirm: userId,
    })
    if (!isSure) return
    remove.mutate(undefined, {
      onSuccess: () => {
        toast.done(texts.deleted(userId), { isOfNextPage: true })
        client.removeQueries({ queryKey: appKey(appId, `/users/${encodeURIComponent(userId)}`) })
        void client.invalidateQueries({ queryKey: appKey(appId, '/users') })
        go('/users')
      },
      onError: toast.failed,
    })
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={texts.more}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {may('export') && (
          <Menu.Item
            leftSection={<IconFileDownload size={16} />}
            onClick={() =>
              void download({ path: `/users/${encodeURIComponent(userId)}/export`, fileName: `${userId}.json` })
            }
          >
            {texts.export}
          </Menu.Item>
        )}
        {may('delete-users') && (
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
