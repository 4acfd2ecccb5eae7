import { Badge, Collapse, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { UserDevice } from '@peyk/contract'
import { IconChevronDown, IconDeviceMobile } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Mono } from '../../parts/Mono.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { PlatformMark } from '../../parts/PlatformMark.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { sayStatus, TokenHistory } from './TokenHistory.tsx'
import classes from './UserPage.module.css'

export function DevicesTab({ devices }: { devices: readonly UserDevice[] }) {
  const { users: texts } = useTexts()
  if (devices.length === 0) {
    return (
      <Panel>
        <EmptyState icon={IconDeviceMobile} title={texts.noDevices} text={texts.noDevicesText} />
      </Panel>
    )
  }
  return (
    <Stack>
      {devices.map((device) => (
        <Device key={device.id} device={device} />
      ))}
    </Stack>
  )
}

function Device({ device }: { device: UserDevice }) {
  const { users: texts } = useTexts()
  const format = useFormat()
  const [isOpen, { toggle }] = useDisclosure(false)
  const { token, connection } = device
  const ownAttributes = Object.entries(device.attributes)
  return (
    <Panel>
      <Group justify="space-between" mb="sm" align="flex-start">
        <div>
          <Group gap="sm">
            <PlatformMark deviceType={device.deviceType} />
            <Text fw={600}>
              <bdi>{[device.manufacturer, device.model].filter(Boolean).join(' ')}</bdi>
            </Text>
          </Group>
          <Text size="xs" c="dimmed" component="div">
            <Mono copy>{device.id}</Mono>
          </Text>
        </div>
        <DeviceState device={device} />
      </Group>
      <dl className={classes.facts}>
        <Fact label={texts.appVersion}>{device.clientVersion}</Fact>
        <Fact label={texts.system}>{device.osVersion}</Fact>
        <Fact label={texts.lastVisit}>
          <span title={format.moment(device.lastVisitAt)}>{format.ago(device.lastVisitAt)}</span>
        </Fact>
        <Fact label={texts.visits}>{format.number(device.visits)}</Fact>
        <Fact label={texts.installed}>{format.day(device.installedAt)}</Fact>
        <Fact label={texts.language}>{device.language}</Fact>
        <Fact label={texts.timeZone}>{device.timeZone}</Fact>
        <Fact label={texts.channels}>{device.channels.join(', ')}</Fact>
        {connection && <Fact label={texts.connectedSince}>{format.ago(connection.since)}</Fact>}
        {ownAttributes.map(([name, value]) => (
          <Fact key={name} label={name}>
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </Fact>
        ))}
      </dl>
      <UnstyledButton onClick={toggle} mt="sm" aria-expanded={isOpen}>
        <Group gap={6}>
          <Text size="sm" fw={550}>
            {texts.token}: {tokenText(device, texts)}
          </Text>
          <IconChevronDown size={15} style={{ transform: isOpen ? 'rotate(180deg)' : undefined }} aria-hidden />
        </Group>
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <TokenHistory token={token} />
      </Collapse>
    </Panel>
  )
}

function tokenText({ token, uninstalledAt }: UserDevice, texts: ReturnType<typeof useTexts>['users']): string {
  if (uninstalledAt !== undefined) return texts.tokens.gone
  if (!token.isThere) return token.status === 'ERR' ? texts.tokens.foreign : texts.tokens.none
  return token.status === undefined || /^allowed$/i.test(token.status)
    ? texts.tokens.there
    : (sayStatus(token.status, texts) ?? '')
}

function DeviceState({ device: { connection, uninstalledAt, token, isSignedIn } }: { device: UserDevice }) {
  const { users: texts } = useTexts()
  const format = useFormat()
  if (uninstalledAt !== undefined) {
    return (
      <Badge variant="light" color="red" c="var(--mantine-color-error)" tt="none" title={format.moment(uninstalledAt)}>
        {texts.uninstalled(format.ago(uninstalledAt))}
      </Badge>
    )
  }
  return (
    <Group gap={6}>
      {!isSignedIn && (
        <Badge variant="default" tt="none">
          {texts.signedOut}
        </Badge>
      )}
      {connection ? (
        <Badge variant="light" color="green" c="var(--peyk-good)" tt="none">
          {connection.isOpen ? texts.openNow : texts.connected}
        </Badge>
      ) : (
        <Badge variant="light" color={token.isThere ? 'gray' : 'yellow'} c="var(--mantine-color-text)" tt="none">
          {token.isThere ? texts.reachable : texts.notReachable}
        </Badge>
      )}
    </Group>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  if (children === undefined || children === null || children === '') return null
  return (
    <div>
      <dt>
        <bdi>{label}</bdi>
      </dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  )
}
