import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload } from '@tabler/icons-react'
import { useApp } from '../../api/use-app.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useDownload } from '../hooks/use-download.tsx'

interface Wanted {
  /** Without its ending, as the name of the file. */
  path: string
  fileName: string
  query?: Parameters<ReturnType<typeof useDownload>>[0]['query']
  /** There is one for a warehouse too. */
  hasParquet?: boolean
}

/** For members who may export. */
export function DownloadButton({ path, fileName, query, hasParquet = false }: Wanted) {
  const { common, files } = useTexts()
  const { may } = useApp()
  const download = useDownload()
  if (!may('export')) return null
  const fetch = (ending: string) =>
    void download({ path: `${path}.${ending}`, fileName: `${fileName}.${ending}`, ...(query && { query }) })
  const button = (
    <Button
      onClick={() => fetch('csv')}
      variant="default"
      size="xs"
      leftSection={<IconDownload size={14} aria-hidden />}
    >
      {common.download}
    </Button>
  )
  if (!hasParquet) return button
  return (
    <Button.Group>
      {button}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" size="xs" px={6} aria-label={files.others}>
            <IconChevronDown size={14} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => fetch('parquet')}>{files.parquet}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}
