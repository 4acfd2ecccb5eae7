import { Box, Button, Group, SegmentedControl, Text, TextInput } from '@mantine/core'
import type { FoundCodes, GivenCode } from '@peyk/contract'
import { IconSearch } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Answer } from '../../parts/Answer.tsx'
import { AppLink } from '../../parts/AppLink.tsx'
import { usePageSearch } from '../../parts/hooks/use-page-search.ts'
import { Loading } from '../../parts/Loading.tsx'
import { Mono } from '../../parts/Mono.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { type Column, DataTable } from '../../parts/tables/DataTable.tsx'
import { useStoredLine } from '../../parts/tables/use-stored-line.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { useCodes } from './queries.ts'

/** Who got a code, or which codes somebody got. The address says what is asked. */
export function CodeLookUp() {
  const { promo: texts } = useTexts()
  const [{ code, user }, change] = usePageSearch()
  const [kind, setKind] = useState<'code' | 'user'>(user ? 'user' : 'code')
  const [typed, setTyped] = useState(user ?? code ?? '')
  const question = user ? { user } : code ? { code } : undefined
  const found = useCodes(question)
  const ask = (event: FormEvent) => {
    event.preventDefault()
    const text = typed.trim()
    change({ code: kind === 'code' ? text : undefined, user: kind === 'user' ? text : undefined })
  }
  return (
    <Panel title={texts.lookUp} lead={texts.lookUpLead}>
      <form onSubmit={ask}>
        <Group gap="sm">
          <SegmentedControl
            aria-label={texts.lookUp}
            data={[
              { value: 'code', label: texts.byCode },
              { value: 'user', label: texts.byUser },
            ]}
            value={kind}
            onChange={(value) => setKind(value as 'code' | 'user')}
          />
          <TextInput
            aria-label={kind === 'code' ? texts.byCode : texts.byUser}
            placeholder={kind === 'code' ? texts.codeHint : texts.userHint}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            maxLength={64}
            dir="auto"
            style={{ flex: '1 1 14rem', maxWidth: 360 }}
          />
          <Button type="submit" leftSection={<IconSearch size={16} />} disabled={typed.trim() === ''}>
            {texts.find}
          </Button>
        </Group>
      </form>
      {question !== undefined && (
        <Answer of={found} loading={<Loading rows={1} />}>
          {(answer) => <Found answer={answer} asked={user ?? code ?? ''} isUser={Boolean(user)} />}
        </Answer>
      )}
    </Panel>
  )
}

function Found({ answer, asked, isUser }: { answer: FoundCodes; asked: string; isUser: boolean }) {
  const { promo: texts } = useTexts()
  if (answer.data.length > 0) {
    return (
      <Box mt="sm">
        <CodeTable rows={answer.data} />
      </Box>
    )
  }
  const sets = answer.unusedIn ?? []
  return (
    <Group gap="xs" mt="md" role="status">
      <Text>
        {isUser ? texts.noCodesOfUser(asked) : sets.length > 0 ? texts.unused(asked) : texts.unknownCode(asked)}
      </Text>
      {sets.map((trackId) =>
        trackId === '' ? (
          <Text key="" span fw={600}>
            {texts.global}
          </Text>
        ) : (
          <AppLink key={trackId} to={`/campaigns/${encodeURIComponent(trackId)}`}>
            {trackId}
          </AppLink>
        ),
      )}
    </Group>
  )
}

function CodeTable({ rows }: { rows: GivenCode[] }) {
  const { promo: texts } = useTexts()
  const format = useFormat()
  const line = useStoredLine()
  const columns: Column<GivenCode>[] = [
    { key: 'code', label: texts.code, cell: ({ code }) => <Mono copy>{code}</Mono> },
    {
      key: 'user',
      label: texts.user,
      cell: ({ userId }) =>
        userId === undefined ? (
          <Text size="sm" c="dimmed">
            {texts.forgotten}
          </Text>
        ) : (
          <AppLink to={`/users/${encodeURIComponent(userId)}`} size="sm">
            {userId}
          </AppLink>
        ),
    },
    {
      key: 'message',
      label: texts.message,
      cell: ({ messageId, title }) =>
        messageId === undefined || title === undefined ? (
          <Text size="sm" c="dimmed">
            {title ?? texts.forgotten}
          </Text>
        ) : (
          <AppLink to={`/messages/${messageId}`} size="sm" lineClamp={1} {...line}>
            {title}
          </AppLink>
        ),
    },
    { key: 'set', label: texts.set, isExtra: true, cell: ({ trackId }) => trackId ?? texts.globalSet },
    {
      key: 'when',
      label: texts.when,
      isExtra: true,
      cell: ({ givenAt }) => (
        <Text size="sm" c="dimmed">
          {format.moment(givenAt)}
        </Text>
      ),
    },
  ]
  return (
    <DataTable
      label={texts.lookUp}
      columns={columns}
      rows={rows}
      rowKey={({ code, givenAt }) => `${code} ${givenAt}`}
    />
  )
}
