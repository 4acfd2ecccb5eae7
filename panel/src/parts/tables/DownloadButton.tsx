import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useApp } from '../../api/use-app.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useDownload } from '../hooks/use-download.tsx'

/** For members who may export. */
export function DownloadButton(wanted: Parameters<ReturnType<typeof useDownload>>[0]) {
  const { common } = useTexts()
  const { may } = useApp()
  const download = useDownload()
  if (!may('export')) return null
  return (
    <Button
      onClick={() => void download(wanted)}
      variant="default"
      size="xs"
      leftSection={<IconDownload size={14} aria-hidden />}
    >
      {common.download}
    </Button>
  )
}
