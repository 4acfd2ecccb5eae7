import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import type { Query } from '../../api/call.ts'
import { download } from '../../api/download.ts'
import { askForSession } from '../../api/query-client.ts'
import { useApp } from '../../api/use-app.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { useFaultText } from '../Fault.tsx'

const shownEveryMs = 200

interface Wanted {
  path: string
  query?: Query
  fileName: string
}

/** Downloads a file, and says at the edge how far it is, that it is there, or why it is not. */
export function useDownload(): (wanted: Wanted) => Promise<void> {
  const { appId } = useApp()
  const { common, faults } = useTexts()
  const format = useFormat()
  const say = useFaultText()
  const start = async (wanted: Wanted): Promise<void> => {
    const stopper = new AbortController()
    const closeButtonProps = { 'aria-label': common.close }
    const telling = (text: string) => ({
      title: common.downloading(wanted.fileName),
      message: <Line text={text} button={common.cancel} onPress={() => stopper.abort()} />,
      loading: true,
      autoClose: false as const,
      withCloseButton: false,
    })
    const id = notifications.show(telling(common.loading))
    let toldAt = 0
    const onProgress = (bytes: number) => {
      if (Date.now() - toldAt < shownEveryMs) return
      toldAt = Date.now()
      notifications.update({ id, ...telling(common.soFar(format.bytes(bytes))) })
    }
    try {
      const { name, bytes } = await download({ ...wanted, appId, signal: stopper.signal, onProgress })
      const message = common.downloaded(name, format.bytes(bytes))
      const done = { title: null, message, color: 'green', loading: false, autoClose: 4000, withCloseButton: true }
      notifications.update({ id, ...done, closeButtonProps })
    } catch (error) {
      notifications.hide(id)
      if (stopper.signal.aborted) return
      askForSession(error)
      const failed = notifications.show({
        title: faults.title,
        color: 'red',
        autoClose: false,
        closeButtonProps,
        message: (
          <Line
            text={say(error)}
            button={common.retry}
            onPress={() => {
              notifications.hide(failed)
              void start(wanted)
            }}
          />
        ),
      })
    }
  }
  return start
}

function Line({ text, button, onPress }: { text: ReactNode; button: string; onPress(): void }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm" c="dimmed" span dir="auto">
        {text}
      </Text>
      <Button size="compact-sm" variant="default" onClick={onPress} style={{ flex: 'none' }}>
        {button}
      </Button>
    </Group>
  )
}
