import { Button, Checkbox, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import type { BodyOf, ComposedMessage, People, panelTestSend } from '@peyk/contract'
import { IconDeviceMobileMessage, IconSearch } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { appPath, call } from '../../../api/call.ts'
import { useApp } from '../../../api/use-app.ts'
import { Fault } from '../../../parts/Fault.tsx'
import { useToast } from '../../../parts/hooks/use-toast.ts'
import { PlatformMark } from '../../../parts/PlatformMark.tsx'
import { useFormat, useTexts } from '../../../texts/LanguageProvider.tsx'
import { usePeople } from '../queries.ts'
import { randomKey } from '../random-key.ts'
import classes from './TestSend.module.css'

type Device = People['people'][number]['devices'][number]
const mostDevices = 10

/** The message on real devices of one's own, before anybody else has it. */
export function TestSend({ message, fault }: { message: ComposedMessage; fault: string | undefined }) {
  const { test: texts } = useTexts().send
  const format = useFormat()
  const [isOpen, setIsOpen] = useState(false)
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const people = usePeople(search, isOpen)
  const send = useTest(message, chosen)
  const toggle = (id: string) =>
    setChosen((old) => (old.includes(id) ? old.filter((other) => other !== id) : [...old, id].slice(0, mostDevices)))
  return (
    <div className={classes.test}>
      <Group justify="space-between" gap="sm">
        <div style={{ flex: '1 1 16rem' }}>
          <Title order={3} size="h6">
            {texts.title}
          </Title>
          <Text size="sm" c="dimmed">
            {texts.text}
          </Text>
        </div>
        {!isOpen && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDeviceMobileMessage size={15} />}
            onClick={() => setIsOpen(true)}
          >
            {texts.send(0, '')}
          </Button>
        )}
      </Group>
      {isOpen && (
        <Stack gap="sm" mt="sm">
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
                <Text component="legend" size="sm" fw={600} dir="ltr">
                  {userId}
                </Text>
                {devices.map((device) => (
                  <Checkbox
                    key={device.installationId}
                    size="xs"
                    label={<DeviceLine device={device} />}
                    checked={chosen.includes(device.installationId)}
                    onChange={() => toggle(device.installationId)}
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
          {send.error && <Fault error={send.error} />}
          <Group gap="sm">
            <Button
              size="xs"
              disabled={chosen.length === 0 || fault !== undefined}
              aria-describedby="why-not-test"
              loading={send.isPending}
              onClick={() => send.mutate()}
              leftSection={<IconDeviceMobileMessage size={15} />}
            >
              {texts.send(chosen.length, format.number(chosen.length))}
            </Button>
            <Text size="xs" c="dimmed" id="why-not-test">
              {fault ?? (chosen.length === mostDevices ? texts.most : undefined)}
            </Text>
          </Group>
        </Stack>
      )}
    </div>
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

/** A lost answer may be asked for again without a second test. */
function useTest(message: ComposedMessage, installationIds: string[]) {
  const { appId } = useApp()
  const { test: texts } = useTexts().send
  const format = useFormat()
  const toast = useToast()
  const key = useRef<{ body: string; key: string }>(undefined)
  return useMutation({
    mutationFn: () => {
      const body: BodyOf<typeof panelTestSend> = { ...message, installationIds }
      const text = JSON.stringify(body)
      if (key.current?.body !== text) key.current = { body: text, key: randomKey() }
      return call<typeof panelTestSend>('POST', appPath(appId, '/send/test'), {
        body,
        idempotencyKey: key.current.key,
      })
    },
    onSuccess: ({ sent }) => {
      key.current = undefined
      toast.done(texts.sent(sent.length, format.number(sent.length)))
    },
  })
}
