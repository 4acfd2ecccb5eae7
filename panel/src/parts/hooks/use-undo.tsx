import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { pageToasts } from './page-toasts.ts'

const timeToRegretMs = 10_000

/** By what they are about, the messages that are still to be seen. */
const shown = new Map<string, string>()

/** Says what was done, with a button that takes it back for a while. What was said before `about` the same thing goes: only the last can be taken back. */
export function useUndo(): (message: string, undo: () => void, about?: string) => void {
  const { common } = useTexts()
  return (message, undo, about) => {
    const earlier = about && shown.get(about)
    if (earlier) notifications.hide(earlier)
    const id = notifications.show({
      color: 'green',
      autoClose: timeToRegretMs,
      onClose: () => {
        if (about && shown.get(about) === id) shown.delete(about)
      },
      closeButtonProps: { 'aria-label': common.close },
      message: (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" span>
            {message}
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              notifications.hide(id)
              undo()
            }}
          >
            {common.undo}
          </Button>
        </Group>
      ),
    })
    if (about) shown.set(about, id)
    pageToasts.add(id)
  }
}
