import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { pageToasts } from './page-toasts.ts'

const timeToRegretMs = 10_000

/** Says what was done, with a button that takes it back for a while. */
export function useUndo(): (message: string, undo: () => void) => void {
  const { common } = useTexts()
  return (message, undo) => {
    const id = notifications.show({
      color: 'green',
      autoClose: timeToRegretMs,
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
    pageToasts.add(id)
  }
}
