import { Button, Grid, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { CampaignDetail } from '@peyk/contract'
import { IconMessages, IconSend, IconSpeakerphone } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { ApiFault } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { Answer } from '../../parts/Answer.tsx'
import { useLinkTo } from '../../parts/AppLink.tsx'
import { BackLink } from '../../parts/BackLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Explained } from '../../parts/Explained.tsx'
import { Mono } from '../../parts/Mono.tsx'
import { openedOf, openShare } from '../../parts/numbers/measures.ts'
import { NumberCard } from '../../parts/numbers/NumberCard.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { MoreButton } from '../../parts/tables/MoreButton.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import type { Judged } from '../messages/detail/outcome/judge-outcome.ts'
import { MessageFunnel } from '../messages/detail/outcome/MessageFunnel.tsx'
import { MissedReasons } from '../messages/detail/outcome/MissedReasons.tsx'
import { Verdict } from '../messages/detail/outcome/Verdict.tsx'
import { Revenue } from '../messages/detail/Revenue.tsx'
import { MessageTable } from '../messages/MessageTable.tsx'
import { useMessageLines } from '../messages/queries.ts'
import { useRefetchWhen } from '../messages/use-refetch-when.ts'
import { CodesPanel } from '../promo/CodesPanel.tsx'
import { useCampaign } from './queries.ts'

export function CampaignPage() {
  const { trackId = '' } = useParams({ strict: false }) as { trackId?: string }
  const { campaigns: texts, shell } = useTexts()
  const campaign = useCampaign(trackId)
  const isMissing = campaign.error instanceof ApiFault && campaign.error.status === 404
  if (isMissing) {
    return (
      <>
        <PageHead title={shell.campaigns} above={<Back />} />
        <Panel>
          <EmptyState icon={IconSpeakerphone} title={texts.notThere} text={texts.notThereText} />
        </Panel>
      </>
    )
  }
  return (
    <>
      {campaign.data === undefined && <PageHead title={shell.campaigns} above={<Back />} />}
      <Answer of={campaign}>{(data) => <Shown campaign={data} onChanged={() => void campaign.refetch()} />}</Answer>
    </>
  )
}

function Back() {
  const { campaigns: texts } = useTexts()
  return <BackLink to="/campaigns">{texts.toList}</BackLink>
}

function Shown({ campaign, onChanged }: { campaign: CampaignDetail; onChanged: () => void }) {
  const { campaigns: texts, messages } = useTexts()
  const format = useFormat()
  const { may } = useApp()
  const linkTo = useLinkTo()
  const { trackId, name, states, influenced } = campaign
  const opened = openedOf(states)
  const share = openShare(states)
  const send = may('send-to-many') && (
    <Button leftSection={<IconSend size={16} />} renderRoot={linkTo('/send', { new: 'yes', trackId })}>
      {texts.send}
    </Button>
  )
  return (
    <>
      <PageHead
        title={name}
        above={<Back />}
        lead={
          <Group gap="md">
            <Mono copy>{trackId}</Mono>
            <Text span size="sm">
              {texts.since(format.day(campaign.createdAt))}
            </Text>
          </Group>
        }
        actions={send}
      />
      <Stack>
        {campaign.count > 0 && <Verdict message={asWhole(campaign)} />}
        <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
          <NumberCard label={texts.messages} value={format.number(campaign.messages)} />
          <NumberCard label={texts.count} value={format.number(campaign.count)} />
          <NumberCard
            label={<Explained text={messages.openedHint}>{messages.opened}</Explained>}
            value={share === undefined ? '–' : format.percent(share)}
            note={messages.devices(opened, format.number(opened))}
          />
          <NumberCard
            label={texts.revenue}
            value={<Revenue amounts={influenced.revenue} />}
            note={`${messages.events}: ${format.number(influenced.events)}`}
          />
        </SimpleGrid>
        <MessageFunnel message={campaign} />
        <Grid gap="md">
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <MissedReasons reasons={campaign.reasons} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <CodesPanel
              title={texts.codes}
              lead={texts.codesLead}
              noneTitle={texts.noCodes}
              noneText={
                campaign.globalLeft === undefined
                  ? texts.noGlobal
                  : texts.fromGlobal(format.number(campaign.globalLeft))
              }
              set={campaign.promo}
              uploadPath={`/campaigns/${encodeURIComponent(trackId)}/codes`}
            />
          </Grid.Col>
        </Grid>
        <Messages trackId={trackId} onChanged={onChanged} send={send} />
      </Stack>
    </>
  )
}

/** All its messages as if they were one. */
function asWhole({ count, states, reasons, createdAt, lastMessageAt = createdAt }: CampaignDetail): Judged {
  const progress = { total: count, settled: count, waiting: 0 }
  return { count, states, reasons, createdAt: lastMessageAt, progress }
}

function Messages({ trackId, onChanged, send }: { trackId: string; onChanged: () => void; send: React.ReactNode }) {
  const { campaigns: texts } = useTexts()
  const list = useMessageLines({ search: '', kind: 'all', trackId })
  const lines = list.data?.pages.flatMap(({ data }) => data) ?? []
  const moves = lines.reduce((sum, { states }) => sum + states.sent + openedOf(states) + states.ended, 0)
  useRefetchWhen(moves, onChanged)
  return (
    <Panel flush title={texts.messages} lead={texts.messagesLead}>
      <Answer of={list}>
        {({ pages }) => (
          <>
            <MessageTable
              rows={pages.flatMap(({ data }) => data)}
              hidesCampaign
              empty={
                <EmptyState icon={IconMessages} title={texts.noMessages} text={texts.noMessagesText} action={send} />
              }
            />
            <MoreButton of={list} />
          </>
        )}
      </Answer>
    </Panel>
  )
}
