import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import type { PromoSet } from '@peyk/contract'
import { IconTicket } from '@tabler/icons-react'
import { Answer } from '../../parts/Answer.tsx'
import { AppLink, useGo, useLinkTo } from '../../parts/AppLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { type Column, DataTable } from '../../parts/tables/DataTable.tsx'
import { MoreButton } from '../../parts/tables/MoreButton.tsx'
import { useStoredLine } from '../../parts/tables/use-stored-line.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { CodeLookUp } from './CodeLookUp.tsx'
import { CodesPanel } from './CodesPanel.tsx'
import classes from './PromoPage.module.css'
import { usePromo } from './queries.ts'
import { UsageBar } from './UsageBar.tsx'

export function PromoPage() {
  const { promo: texts, shell } = useTexts()
  const promo = usePromo()
  return (
    <>
      <PageHead title={shell.promo} lead={texts.lead} />
      <Stack>
        <CodeLookUp />
        <Answer of={promo}>
          {({ pages }) => (
            <div className={classes.columns}>
              <CodesPanel
                title={texts.global}
                lead={texts.globalLead}
                noneTitle={texts.noGlobal}
                noneText={texts.noGlobalText}
                set={pages[0]?.global}
                uploadPath="/promo/global"
              />
              <Panel flush title={texts.sets} lead={texts.setsLead}>
                <Sets sets={pages.flatMap(({ sets }) => sets)} />
                <MoreButton of={promo} />
              </Panel>
            </div>
          )}
        </Answer>
      </Stack>
    </>
  )
}

function Sets({ sets }: { sets: PromoSet[] }) {
  const { promo: texts } = useTexts()
  const format = useFormat()
  const go = useGo()
  const linkTo = useLinkTo()
  const line = useStoredLine()
  const pathOf = ({ trackId = '' }: PromoSet) => `/campaigns/${encodeURIComponent(trackId)}`
  const columns: Column<PromoSet>[] = [
    {
      key: 'campaign',
      label: texts.campaign,
      cell: (set) => (
        <AppLink to={pathOf(set)} fw={600} size="sm" lineClamp={2} {...line}>
          {set.campaignName ?? set.trackId}
        </AppLink>
      ),
    },
    {
      key: 'left',
      label: texts.left,
      isNumber: true,
      cell: (set) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          {set.isLow && (
            <Badge variant="dot" color="orange" tt="none">
              {texts.lowShort}
            </Badge>
          )}
          <Text span inherit fw={600}>
            {format.number(set.left)}
          </Text>
        </Group>
      ),
    },
    {
      key: 'usage',
      label: texts.given,
      width: 150,
      isExtra: true,
      cell: (set) => (
        <Stack gap={4}>
          <UsageBar set={set} />
          <Text size="xs" c="dimmed">
            {texts.usage(format.number(set.given), format.number(set.codes))}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'uploaded',
      label: texts.uploaded,
      isExtra: true,
      width: 130,
      cell: ({ uploadedAt }) => (
        <Text size="sm" c="dimmed" title={format.moment(uploadedAt)}>
          {format.ago(uploadedAt)}
        </Text>
      ),
    },
  ]
  return (
    <DataTable
      label={texts.sets}
      columns={columns}
      rows={sets}
      rowKey={({ trackId = '' }) => trackId}
      onRow={(set) => go(pathOf(set))}
      empty={
        <EmptyState
          icon={IconTicket}
          title={texts.noSets}
          text={texts.noSetsText}
          action={
            <Button variant="default" renderRoot={linkTo('/campaigns')}>
              {texts.toCampaigns}
            </Button>
          }
        />
      }
    />
  )
}
