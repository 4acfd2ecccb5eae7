import { Box, Button, Center, Text } from '@mantine/core'
import type { WebhookAttempt } from '@peyk/contract'
import { IconList } from '@tabler/icons-react'
import { EmptyState } from '#parts/EmptyState.tsx'
import { Fault } from '#parts/Fault.tsx'
import { Loading } from '#parts/Loading.tsx'
import { type Column, DataTable } from '#parts/tables/DataTable.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { useAttempts } from '../queries.ts'
import { sayEvent, WebhookAnswer } from './WebhookAnswer.tsx'

export function WebhookLog({ webhookId }: { webhookId: string }) {
  const { settings, common } = useTexts()
  const words = settings.webhooks
  const format = useFormat()
  const attempts = useAttempts(webhookId)
  if (attempts.isError) return <Fault error={attempts.error} onRetry={() => void attempts.refetch()} />
  if (attempts.data === undefined) return <Loading rows={3} />
  const columns: Column<WebhookAttempt>[] = [
    {
      key: 'at',
      label: words.at,
      cell: ({ at, type, tookMs }) => (
        <Box miw={132}>
          <Text size="sm">{format.exactly(at)}</Text>
          <Text size="sm" c="dimmed" hiddenFrom="sm">
            {sayEvent(type, words)} · {words.ms(format.number(tookMs))}
          </Text>
        </Box>
      ),
    },
    {
      key: 'what',
      label: words.what,
      isExtra: true,
      cell: ({ type }) => <Text size="sm">{sayEvent(type, words)}</Text>,
    },
    {
      key: 'came',
      label: words.came,
      cell: ({ status, detail }) => {
        const isFine = status !== undefined && status >= 200 && status < 300
        return (
          <Text size="sm" c={isFine ? 'var(--peyk-good)' : 'var(--mantine-color-error)'}>
            <WebhookAnswer status={status} detail={detail} />
          </Text>
        )
      },
    },
    {
      key: 'took',
      label: words.took,
      isNumber: true,
      isExtra: true,
      cell: ({ tookMs }) => words.ms(format.number(tookMs)),
    },
  ]
  return (
    <>
      <Text size="xs" c="dimmed">
        {words.logText}
      </Text>
      <DataTable
        label={words.log}
        columns={columns}
        rows={attempts.data.pages.flatMap(({ data }) => data)}
        rowKey={({ at, eventId }) => `${at} ${eventId}`}
        empty={<EmptyState icon={IconList} title={words.logNone} text={words.logNoneText} />}
      />
      {attempts.hasNextPage && (
        <Center>
          <Button variant="subtle" loading={attempts.isFetchingNextPage} onClick={() => void attempts.fetchNextPage()}>
            {common.more}
          </Button>
        </Center>
      )}
    </>
  )
}
