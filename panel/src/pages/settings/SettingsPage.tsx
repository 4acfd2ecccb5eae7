import { Box, NavLink, Select, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useApp } from '../../api/use-app.ts'
import { useGo, useHref } from '../../parts/AppLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { AppSection } from './AppSection.tsx'
import { AuditSection } from './AuditSection.tsx'
import { IdentitySection } from './IdentitySection.tsx'
import { ImagesSection } from './ImagesSection.tsx'
import { MembersSection } from './members/MembersSection.tsx'
import { ProvidersSection } from './providers/ProvidersSection.tsx'
import { SmsSection } from './providers/SmsSection.tsx'
import { RetentionSection } from './RetentionSection.tsx'
import { RulesSection } from './rules/RulesSection.tsx'
import classes from './SettingsPage.module.css'
import { groups, type SectionName, sections } from './sections.ts'
import { KeysSection } from './tokens/KeysSection.tsx'
import { TokensSection } from './tokens/TokensSection.tsx'
import { UsageSection } from './usage/UsageSection.tsx'
import { WebhooksSection } from './webhooks/WebhooksSection.tsx'

const contents: Record<SectionName, ComponentType> = {
  app: AppSection,
  tokens: TokensSection,
  keys: KeysSection,
  identity: IdentitySection,
  providers: ProvidersSection,
  sms: SmsSection,
  rules: RulesSection,
  webhooks: WebhooksSection,
  usage: UsageSection,
  retention: RetentionSection,
  images: ImagesSection,
  members: MembersSection,
  audit: AuditSection,
}

export function SettingsPage() {
  const { may } = useApp()
  const { settings, shell } = useTexts()
  const { tab } = useParams({ strict: false }) as { tab?: string }
  const name = sections.find((section) => section.name === tab)?.name ?? 'app'
  const Content = contents[name]
  if (!may('settings')) {
    return (
      <>
        <PageHead title={shell.settings} />
        <EmptyState icon={IconLock} title={settings.notAllowed} text={settings.notAllowedText} />
      </>
    )
  }
  return (
    <>
      <PageHead title={shell.settings} lead={settings.lead} />
      <div className={classes.columns}>
        <SectionMenu current={name} />
        <div className={classes.content}>
          <Content />
        </div>
      </div>
    </>
  )
}

function SectionMenu({ current }: { current: SectionName }) {
  const { settings, shell } = useTexts()
  const href = useHref()
  const go = useGo()
  return (
    <>
      <Select
        hiddenFrom="md"
        aria-label={settings.sections}
        allowDeselect={false}
        data={groups.map((group) => ({
          group: settings.groups[group],
          items: sections
            .filter((section) => section.group === group)
            .map(({ name }) => ({ value: name, label: shell.sections[name] })),
        }))}
        value={current}
        onChange={(name) => go(`/settings/${name}`)}
      />
      <Box component="nav" visibleFrom="md" className={classes.menu} aria-label={settings.sections}>
        {groups.map((group) => (
          <Box key={group} className={classes.group}>
            <Text size="xs" fw={650} c="dimmed">
              {settings.groups[group]}
            </Text>
            {sections
              .filter((section) => section.group === group)
              .map(({ name, icon: Sign }) => (
                <NavLink
                  key={name}
                  label={shell.sections[name]}
                  leftSection={<Sign size={17} stroke={1.7} aria-hidden />}
                  active={name === current}
                  aria-current={name === current ? 'page' : undefined}
                  renderRoot={(props) => <Link {...props} to={href(`/settings/${name}`)} />}
                  className={classes.link as string}
                />
              ))}
          </Box>
        ))}
      </Box>
    </>
  )
}
