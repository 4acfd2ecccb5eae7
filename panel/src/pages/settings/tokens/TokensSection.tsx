import { Badge, Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { PanelToken } from '@peyk/contract'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { Answer } from '#parts/Answer.tsx'
import { DocsLink } from '#parts/DocsLink.tsx'
import { EmptyState } from '#parts/EmptyState.tsx'
import { Panel } from '#parts/Panel.tsx'
import { type Column, DataTable } from '#parts/tables/DataTable.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { useTokens } from '../queries.ts'
import { NewTokenDialog } from './NewTokenDialog.tsx'
import { isClientKey, useTokenColumns } from './token-columns.tsx'

export function TokensSection() {
  const { settings } = useTexts()
  const words = settings.tokens
  const tokens = useTokens()
  const [isOpen, dialog] = useDisclosure(false)
  const { name, created, lastUsed, expires, revoke } = useTokenColumns(words.revokeText)
  const scope: Column<PanelToken> = {
    key: 'scope',
    label: words.scope,
    cell: ({ scopes }) => (
      <Group gap={4}>
        {scopes.map((one) => (
          <Badge key={one} variant="light" tt="none" miw="max-content">
            {words.scopes[one]?.[0] ?? one}
          </Badge>
        ))}
      </Group>
    ),
  }
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      {words.new}
    </Button>
  )
  return (
    <Panel
      title={words.title}
      lead={
        <>
          {words.lead} <DocsLink />
        </>
      }
      actions={add}
      flush
    >
      <Answer of={tokens}>
        {(all) => (
          <DataTable
            label={words.title}
            columns={[name, scope, lastUsed, created, expires, revoke]}
            rows={all.filter((token) => !isClientKey(token))}
            rowKey={({ id }) => id}
            empty={<EmptyState icon={IconKey} title={words.none} text={words.noneText} />}
          />
        )}
      </Answer>
      <NewTokenDialog kind="token" isOpen={isOpen} onClose={dialog.close} />
    </Panel>
  )
}
