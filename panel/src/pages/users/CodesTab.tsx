import { Text } from '@mantine/core'
import type { UserCodes } from '@peyk/contract'
import { IconTicketOff } from '@tabler/icons-react'
import { Answer } from '../../parts/Answer.tsx'
import { AppLink } from '../../parts/AppLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Mono } from '../../parts/Mono.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { type Column, DataTable } from '../../parts/tables/DataTable.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { useUserCodes } from './queries.ts'

type Given = UserCodes['data'][number]

/** Promo codes that a user was given. */
export function CodesTab({ userId }: { userId: string }) {
  const { users: texts } = useTexts()
  const format = useFormat()
  const codes = useUserCodes(userId)
  const columns: Column<Given>[] = [
    { key: 'code', label: texts.code, cell: ({ code }) => <Mono copy>{code}</Mono> },
    {
      key: 'campaign',
      label: texts.campaign,
      cell: ({ trackId }) =>
        trackId === undefined ? (
          <Text size="sm" c="dimmed">
            {texts.globalSet}
          </Text>
        ) : (
          <AppLink to={`/campaigns/${encodeURIComponent(trackId)}`} size="sm">
            <bdi>{trackId}</bdi>
          </AppLink>
        ),
    },
    {
      key: 'given',
      label: texts.given,
      cell: ({ messageId, givenAt }) => (
        <AppLink to={`/messages/${messageId}`} search={{ user: userId }} size="sm">
          <span title={format.moment(givenAt)}>{format.ago(givenAt)}</span>
        </AppLink>
      ),
    },
  ]
  return (
    <Panel flush>
      <Answer of={codes}>
        {({ data }) => (
          <DataTable
            label={texts.tabs.codes}
            columns={columns}
            rows={data}
            rowKey={({ code }) => code}
            empty={<EmptyState icon={IconTicketOff} title={texts.noCodes} text={texts.noCodesText} />}
          />
        )}
      </Answer>
    </Panel>
  )
}
