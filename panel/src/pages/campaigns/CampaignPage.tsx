import { Button, Grid, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { CampaignDetail, MessageLine } from '@peyk/contract'
import { IconMessages, IconSend, IconSpeakerphone } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
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
import { MessageFunnel } from '../messages/detail/outcome/MessageFunnel.tsx'
import { MissedReasons } from '../messages/detail/outcome/MissedReasons.tsx'
import verdict from '../messages/detail/outcome/Verdict.module.css'
import { Revenue } from '../messages/detail/Revenue.tsx'
import { MessageTable } from '../messages/MessageTable.tsx'
import { CodesPanel } from '../promo/CodesPanel.tsx'
import { useCampaign } from './queries.ts'
import { sayCampaign } from './say-campaign.ts'

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
      <Answer of={campaign}>
        {({ pages }) =>
          pages[0]?.campaign && (
            <Shown
              campaign={pages[0].campaign}
              lines={pages.flatMap(({ data }) => data)}
              more={<MoreButton of={campaign} />}
            />
          )
        }
      </Answer>
    </>
  )
}

function Back() {
  const { campaigns: texts } = useTexts()
  return <BackLink to="/campaigns">{texts.toList}</BackLink>
}

interface ShownProps {
  campaign: CampaignDetail
  lines: MessageLine[]
  more: ReactNode
}

function Shown({ campaign, lines, more }: ShownProps) {
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
      <Stack data-counted={campaign.at}>
        {campaign.count > 0 && (
          <Text component="p" className={verdict.verdict} data-verdict>
            {sayCampaign(campaign, texts.verdict, format)}
            {messages.verdict.end}
          </Text>
        )}
        <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
          <NumberCard label={texts.messages} value={format.number(campaign.messages)} />
          <NumberCard
            label={<Explained text={texts.countHint}>{texts.count}</Explained>}
            value={format.number(campaign.count)}
            note={
              campaign.reached &&
              texts.reached(
                messages.devices(campaign.reached.devices, format.number(campaign.reached.devices)),
                messages.toUsers(campaign.reached.users, format.number(campaign.reached.users)),
              )
            }
          />
          <NumberCard
            label={<Explained text={texts.openedHint}>{messages.opened}</Explained>}
            value={share === undefined ? '–' : format.percent(share)}
            note={texts.deliveries(opened, format.number(opened))}
          />
          <NumberCard
            label={texts.revenue}
            value={<Revenue amounts={influenced.revenue} />}
            note={`${messages.events}: ${format.number(influenced.events)}`}
          />
        </SimpleGrid>
        <MessageFunnel message={campaign} isOfMany />
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
        <Panel flush title={texts.messages} lead={texts.messagesLead}>
          <MessageTable
            rows={lines}
            hidesCampaign
            empty={
              <EmptyState icon={IconMessages} title={texts.noMessages} text={texts.noMessagesText} action={send} />
            }
          />
          {more}
        </Panel>
      </Stack>
    </>
  )
}
