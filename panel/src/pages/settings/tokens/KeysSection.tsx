import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { PanelToken } from '@peyk/contract'
import { IconDeviceMobile, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Answer } from '#parts/Answer.tsx'
import { DocsLink } from '#parts/DocsLink.tsx'
import { EmptyState } from '#parts/EmptyState.tsx'
import { Mono } from '#parts/Mono.tsx'
import { Panel } from '#parts/Panel.tsx'
import { type Column, DataTable } from '#parts/tables/DataTable.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { useTokens } from '../queries.ts'
import { NewTokenDialog } from './NewTokenDialog.tsx'
import { OriginsDialog } from './OriginsDialog.tsx'
import { isClientKey, useTokenColumns } from './token-columns.tsx'

export function KeysSection() {
  const { settings } = useTexts()
  const words = settings.keys
  const tokens = useTokens()
  const [isOpen, dialog] = useDisclosure(false)
  const [edited, setEdited] = useState<PanelToken>()
  const { name, created, lastUsed, revoke } = useTokenColumns(words.revokeText)
  const origins: Column<PanelToken> = {
    key: 'origins',
    label: words.origins,
    cell: (token) => (
      <Stack gap={2} align="flex-start">
        {token.origins?.map((origin) => <Mono key={origin}>{origin}</Mono>) ?? <Text size="sm">{words.everyPage}</Text>}
        <Anchor component="button" size="sm" onClick={() => setEdited(token)}>
          {words.editOrigins}
        </Anchor>
      </Stack>
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
          {words.lead} <DocsLink place="client" />
        </>
      }
      actions={add}
      flush
    >
      <Answer of={tokens}>
        {(all) => (
          <DataTable
            label={words.title}
            columns={[name, origins, lastUsed, created, revoke]}
            rows={all.filter(isClientKey)}
            rowKey={({ id }) => id}
            empty={<EmptyState icon={IconDeviceMobile} title={words.none} text={words.noneText} />}
          />
        )}
      </Answer>
      <NewTokenDialog kind="key" isOpen={isOpen} onClose={dialog.close} />
      <OriginsDialog key={edited?.id ?? ''} token={edited} onClose={() => setEdited(undefined)} />
    </Panel>
  )
}
