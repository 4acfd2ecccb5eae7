import { Badge, Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ListedSession, panelEndSessions, panelSessions } from '@peyk/contract'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { Answer } from '../../parts/Answer.tsx'
import { Fault } from '../../parts/Fault.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { nameBrowser } from './name-browser.ts'

const sessionsKey = ['sessions'] as const

/** Where the member is signed in, and a way to end it everywhere else. */
export function SessionsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { login, common } = useTexts()
  const toast = useToast()
  const client = useQueryClient()
  const sessions = useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => call<typeof panelSessions>('GET', '/sessions', { signal }),
    enabled: isOpen,
    staleTime: 0,
  })
  const end = useMutation({
    mutationFn: () => call<typeof panelEndSessions>('DELETE', '/sessions'),
    onSuccess: async () => {
      toast.done(login.sessionsEnded)
      await client.invalidateQueries({ queryKey: sessionsKey })
    },
  })
  return (
    <Modal opened={isOpen} onClose={onClose} title={login.sessions} closeButtonProps={{ 'aria-label': common.close }}>
      <Stack>
        <Answer of={sessions}>
          {(all) => (
            <Stack gap="sm">
              {all.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </Stack>
          )}
        </Answer>
        {end.isError && <Fault error={end.error} />}
        <Group justify="flex-end">
          <Button
            variant="default"
            loading={end.isPending}
            disabled={(sessions.data?.length ?? 0) < 2}
            onClick={() => end.mutate()}
          >
            {login.endSessions}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function SessionRow({ session: { browser, lastSeenAt, isThis } }: { session: ListedSession }) {
  const { login } = useTexts()
  const format = useFormat()
  const { name, isPhone } = nameBrowser(browser)
  const Sign = isPhone ? IconDeviceMobile : IconDeviceDesktop
  return (
    <Group wrap="nowrap" gap="sm">
      <Sign size={22} stroke={1.6} aria-hidden style={{ flex: 'none' }} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" fw={600}>
          <bdi>{name || login.unknownBrowser}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          {login.lastSeen(format.ago(lastSeenAt))}
        </Text>
      </div>
      {isThis && (
        <Badge variant="light" tt="none">
          {login.thisOne}
        </Badge>
      )}
    </Group>
  )
}
