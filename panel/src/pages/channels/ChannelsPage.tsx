import { Button, Group, Text, TextInput } from '@mantine/core'
import type { AnswerOf, channels as channelsEndpoint } from '@peyk/contract'
import { IconBroadcast, IconSearch, IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { useApp } from '../../api/use-app.ts'
import { useAppQuery } from '../../api/use-app-query.ts'
import { Answer } from '../../parts/Answer.tsx'
import { useLinkTo } from '../../parts/AppLink.tsx'
import { ShareBar } from '../../parts/charts/ShareBar.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import type { Column } from '../../parts/tables/DataTable.tsx'
import { LongTable } from '../../parts/tables/LongTable.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'

type Channel = AnswerOf<typeof channelsEndpoint>[number]

export function ChannelsPage() {
  const { channels: t, shell } = useTexts()
  const channels = useAppQuery<typeof channelsEndpoint>('/channels')
  return (
    <>
      <PageHead title={shell.channels} lead={t.lead} />
      <Panel flush>
        <Answer of={channels}>{(data) => <Channels channels={data} />}</Answer>
      </Panel>
    </>
  )
}

const fewChannels = 8

function Channels({ channels }: { channels: readonly Channel[] }) {
  const { channels: t } = useTexts()
  const [words, setWords] = useState('')
  const columns = useColumns(channels.find(({ channel }) => channel === 'default')?.count ?? 0)
  const found = channels.filter(({ channel }) => channel.toLowerCase().includes(words.trim().toLowerCase()))
  return (
    <>
      {channels.length > fewChannels && (
        <Group p="md">
          <TextInput
            aria-label={t.find}
            placeholder={t.find}
            leftSection={<IconSearch size={16} aria-hidden />}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
            style={{ flex: 1 }}
          />
        </Group>
      )}
      <LongTable
        label={t.name}
        columns={columns}
        rows={found}
        rowKey={({ channel }) => channel}
        empty={<EmptyState icon={IconBroadcast} title={t.onlyDefault} text={t.noneFound(words)} />}
      />
      {channels.length <= 1 && <EmptyState icon={IconBroadcast} title={t.onlyDefault} text={t.onlyDefaultText} />}
    </>
  )
}

function useColumns(everybody: number): Column<Channel>[] {
  const { channels: t } = useTexts()
  const format = useFormat()
  const { may } = useApp()
  const linkTo = useLinkTo()
  const share = ({ count }: Channel) => (everybody === 0 ? 0 : count / everybody)
  const columns: Column<Channel>[] = [
    {
      key: 'name',
      label: t.name,
      cell: ({ channel }) => (
        <>
          <Text fw={600} size="sm">
            <bdi>{channel}</bdi>
          </Text>
          {channel === 'default' && (
            <Text size="sm" c="dimmed">
              {t.everybodyText}
            </Text>
          )}
        </>
      ),
    },
    { key: 'members', label: t.members, isNumber: true, cell: ({ count }) => format.number(count) },
    {
      key: 'share',
      label: t.share,
      width: '24%',
      isExtra: true,
      cell: (channel) => (
        <Group gap="sm" wrap="nowrap">
          <div style={{ flex: 1 }}>
            <ShareBar share={share(channel)} />
          </div>
          <Text size="sm" c="dimmed" w={56} ta="end">
            {format.percent(share(channel))}
          </Text>
        </Group>
      ),
    },
  ]
  if (!may('send-to-many')) return columns
  const send: Column<Channel> = {
    key: 'send',
    label: '',
    width: 1,
    isNumber: true,
    cell: ({ channel }) => (
      <Button
        variant="default"
        size="xs"
        leftSection={<IconSend size={14} aria-hidden />}
        renderRoot={linkTo('/send', { channel })}
        aria-label={`${t.send}: ${channel}`}
      >
        {t.send}
      </Button>
    ),
  }
  return [...columns, send]
}
