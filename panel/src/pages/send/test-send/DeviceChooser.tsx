import { Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import type { People } from '@peyk/contract'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { PlatformMark } from '#parts/PlatformMark.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { usePeople } from '../queries.ts'
import classes from './TestSend.module.css'

export type Device = People['people'][number]['devices'][number]

interface DeviceChooserProps {
  chosen: readonly Device[]
  onToggle(device: Device): void
}

/** Devices by their users, those who were there last first. */
export function DeviceChooser({ chosen, onToggle }: DeviceChooserProps) {
  const { test: texts } = useTexts().send
  const [search, setSearch] = useState('')
  const people = usePeople(search, true)
  return (
    <>
      <TextInput
        aria-label={texts.search}
        placeholder={texts.search}
        leftSection={<IconSearch size={15} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        dir="ltr"
      />
      <Stack gap="xs" className={classes.people}>
        {people.data?.people.map(({ userId, devices }) => (
          <fieldset key={userId} className={classes.person}>
            <Text component="legend" size="sm" fw={600} mb={4} dir="ltr">
              {userId}
            </Text>
            {devices.map((device) => (
              <Checkbox
                key={device.installationId}
                size="xs"
                label={<DeviceLine device={device} />}
                checked={chosen.some(({ installationId }) => installationId === device.installationId)}
                onChange={() => onToggle(device)}
              />
            ))}
          </fieldset>
        ))}
        {people.data?.people.length === 0 && (
          <Text size="sm" c="dimmed">
            {texts.none}
          </Text>
        )}
      </Stack>
    </>
  )
}

function DeviceLine({ device }: { device: Device }) {
  const { test: texts } = useTexts().send
  const format = useFormat()
  const notes = [texts.seen(format.ago(device.lastVisitAt))]
  if (device.osVersion !== undefined) notes.unshift(device.osVersion)
  if (device.isConnected) notes.push(texts.connected)
  if (!device.canPush) notes.push(texts.cannotPush)
  return (
    <Group gap="xs">
      <PlatformMark deviceType={device.deviceType} />
      <Text span size="xs" c="dimmed">
        {notes.join(' · ')}
      </Text>
    </Group>
  )
}
