import { Alert, Button, Group } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { askNow, isServerLost, subscribeToServer } from '../api/server-state.ts'
import { useTexts } from '../texts/LanguageProvider.tsx'
import classes from './LostServer.module.css'

export function LostServer() {
  const isLost = useSyncExternalStore(subscribeToServer, isServerLost)
  const { shell, common } = useTexts()
  if (!isLost) return null
  return (
    <Alert color="orange" icon={<IconPlugConnectedX />} mb="md" role="alert" className={classes.banner as string}>
      <Group justify="space-between">
        {shell.lost}
        <Button size="compact-sm" variant="default" onClick={askNow}>
          {common.retry}
        </Button>
      </Group>
    </Alert>
  )
}
