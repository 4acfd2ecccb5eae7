import { Box, Button, Group, Stack, Tabs, Text } from '@mantine/core'
import type { UserProfile } from '@peyk/contract'
import { IconSend, IconUserQuestion } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { ApiFault } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { Answer } from '../../parts/Answer.tsx'
import { AppLink, useLinkTo } from '../../parts/AppLink.tsx'
import { BackLink } from '../../parts/BackLink.tsx'
import { CopyButton } from '../../parts/copy/CopyButton.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { usePageSearch } from '../../parts/hooks/use-page-search.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { AttributesPanel } from './AttributesPanel.tsx'
import { CodesTab } from './CodesTab.tsx'
import { DevicesTab } from './DevicesTab.tsx'
import { EventsTab } from './EventsTab.tsx'
import { MessagesTab } from './MessagesTab.tsx'
import { PreferencesPanel } from './PreferencesPanel.tsx'
import { useUser } from './queries.ts'
import { TagsPanel } from './TagsPanel.tsx'
import { UserMenu } from './UserMenu.tsx'
import classes from './UserPage.module.css'
import { GuestBadge } from './UsersPage.tsx'

const tabs = ['devices', 'events', 'messages', 'codes'] as const

export function UserPage() {
  const { users: texts, shell } = useTexts()
  const { userId = '' } = useParams({ strict: false }) as { userId?: string }
  const user = useUser(userId)
  if (user.error instanceof ApiFault && user.error.status === 404 && user.data === undefined) {
    return (
      <>
        <PageHead title={userId} above={<Above />} />
        <Panel>
          <EmptyState
            icon={IconUserQuestion}
            title={texts.unknown}
            text={texts.unknownText}
            action={<AppLink to="/users">{shell.users}</AppLink>}
          />
        </Panel>
      </>
    )
  }
  return <Answer of={user}>{(profile) => <Profile key={profile.userId} profile={profile} />}</Answer>
}

function Above() {
  const { shell } = useTexts()
  return <BackLink to="/users">{shell.users}</BackLink>
}

function Profile({ profile }: { profile: UserProfile }) {
  const { users: texts } = useTexts()
  const { may } = useApp()
  const linkTo = useLinkTo()
  const [search, change] = usePageSearch()
  const tab = tabs.find((name) => name === search.tab) ?? 'devices'
  const { userId } = profile
  return (
    <>
      <PageHead
        title={userId}
        above={<Above />}
        lead={<Lead profile={profile} />}
        actions={
          <>
            {may('send-to-one') && (
              <Button leftSection={<IconSend size={16} />} renderRoot={linkTo('/send', { user: userId })}>
                {texts.send}
              </Button>
            )}
            <UserMenu userId={userId} />
          </>
        }
      />
      <Box className={classes.columns}>
        <Tabs
          value={tab}
          onChange={(name) => change({ tab: name === 'devices' ? undefined : (name ?? undefined) })}
          keepMounted={false}
        >
          <Tabs.List mb="md" className={classes.tabs}>
            {tabs.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {texts.tabs[name]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="devices">
            <DevicesTab devices={profile.devices} />
          </Tabs.Panel>
          <Tabs.Panel value="events">
            <EventsTab userId={userId} />
          </Tabs.Panel>
          <Tabs.Panel value="messages">
            <MessagesTab userId={userId} />
          </Tabs.Panel>
          <Tabs.Panel value="codes">
            <CodesTab userId={userId} />
          </Tabs.Panel>
        </Tabs>
        <Stack>
          <TagsPanel userId={userId} tags={profile.tags} />
          <AttributesPanel userId={userId} attributes={profile.attributes} />
          <PreferencesPanel userId={userId} />
          <RevenuePanel revenue={profile.revenue} />
        </Stack>
      </Box>
    </>
  )
}

function Lead({ profile: { userId, isGuest, createdAt, devices } }: { profile: UserProfile }) {
  const { users: texts } = useTexts()
  const format = useFormat()
  const since =
    createdAt === undefined ? undefined : Math.min(createdAt, ...devices.map((device) => device.installedAt))
  const isConnected = devices.some(({ connection }) => connection !== undefined)
  return (
    <Group gap="xs">
      <CopyButton value={userId} />
      {isGuest && <GuestBadge />}
      {isConnected && (
        <Group gap={6} wrap="nowrap">
          <span className={classes.dot} aria-hidden />
          <Text size="sm" c="var(--peyk-good)" fw={600}>
            {texts.connected}
          </Text>
        </Group>
      )}
      <Text size="sm">{since === undefined ? texts.onlyWritten : texts.since(format.day(since))}</Text>
    </Group>
  )
}

function RevenuePanel({ revenue }: { revenue: UserProfile['revenue'] }) {
  const { users: texts } = useTexts()
  const format = useFormat()
  return (
    <Panel title={texts.revenue} {...(revenue.isPartial && { lead: texts.revenuePartial })}>
      {revenue.currencies.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.noRevenue}
        </Text>
      ) : (
        <Stack gap="xs">
          {revenue.currencies.map(({ currency, revenue: sum, purchases }) => (
            <Group key={currency} justify="space-between" align="baseline">
              <Text fz={20} fw={650}>
                {format.money(sum, currency)}
              </Text>
              <Text size="sm" c="dimmed">
                {texts.purchases(purchases, format.number(purchases))}
              </Text>
            </Group>
          ))}
        </Stack>
      )}
    </Panel>
  )
}
