import { ActionIcon, Badge, Box, Group, Text, Tooltip } from '@mantine/core'
import type { PanelToken, panelRevokeToken } from '@peyk/contract'
import { IconTrash } from '@tabler/icons-react'
import { useAppMutation } from '#api/use-app-query.ts'
import { useConfirm } from '#parts/Confirm.tsx'
import { useToast } from '#parts/hooks/use-toast.ts'
import type { Column } from '#parts/tables/DataTable.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'

type TokenColumn = Column<PanelToken>

export function isClientKey({ scopes }: PanelToken): boolean {
  return scopes.includes('client')
}

/** What access tokens and client keys have in common. */
export function useTokenColumns(
  revokeText: string,
): Record<'name' | 'created' | 'lastUsed' | 'expires' | 'revoke', TokenColumn> {
  const { settings } = useTexts()
  const words = settings.tokens
  const format = useFormat()
  const revoke = useRevoke(revokeText)
  return {
    name: {
      key: 'name',
      label: words.name,
      cell: ({ name, createdAt, expiresAt, lastUsedOn }) => (
        <>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Box hiddenFrom="sm" c="dimmed" fz="xs">
            <div>
              {words.lastUsed}: {lastUsedOn === undefined ? words.never : format.day(lastUsedOn)}
            </div>
            <div>
              {words.created}: {format.day(createdAt)}
            </div>
            <div>
              {words.expires}: {expiresAt === undefined ? words.expiry.never : format.day(expiresAt)}
            </div>
          </Box>
        </>
      ),
    },
    created: {
      key: 'created',
      label: words.created,
      isExtra: true,
      cell: ({ createdAt }) => format.day(createdAt),
    },
    lastUsed: {
      key: 'used',
      label: words.lastUsed,
      isExtra: true,
      cell: ({ lastUsedOn }) => (lastUsedOn === undefined ? words.never : format.day(lastUsedOn)),
    },
    expires: {
      key: 'expires',
      label: words.expires,
      isExtra: true,
      cell: ({ expiresAt }) => {
        if (expiresAt === undefined) return words.expiry.never
        if (expiresAt > Date.now()) return format.day(expiresAt)
        return (
          <Badge color="red" variant="light">
            {words.expired}
          </Badge>
        )
      },
    },
    revoke: {
      key: 'revoke',
      label: '',
      width: 56,
      cell: (token) => (
        <Group justify="flex-end">
          <Tooltip label={words.revoke}>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={`${words.revoke}: ${token.name}`}
              onClick={() => void revoke(token)}
            >
              <IconTrash size={17} />
            </ActionIcon>
          </Tooltip>
        </Group>
      ),
    },
  }
}

function useRevoke(text: string): (token: PanelToken) => Promise<void> {
  const { settings } = useTexts()
  const words = settings.tokens
  const confirm = useConfirm()
  const toast = useToast()
  const { mutateAsync } = useAppMutation<typeof panelRevokeToken, PanelToken>('DELETE', ({ id }) => `/tokens/${id}`, {
    refreshes: ['/tokens'],
  })
  return async (token) => {
    const title = words.revokeTitle(token.name)
    if (!(await confirm({ title, text, confirmLabel: words.revoke, danger: true }))) return
    await mutateAsync(token).then(() => toast.done(words.revoked(token.name)), toast.failed)
  }
}
