import { Button, Group, Stack, Text } from '@mantine/core'
import type { ComposedMessage } from '@peyk/contract'
import { IconDeviceMobileMessage } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { Fault } from '#parts/Fault.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { type Device, DeviceChooser } from './DeviceChooser.tsx'
import { TestResults } from './TestResults.tsx'
import { useTestSend } from './use-test-send.ts'

const mostDevices = 10

interface TestFormProps {
  message: ComposedMessage
  /** What keeps it from being sent, in words. */
  fault?: string | undefined
}

/** Devices to choose, a button that sends to them, and then what they report. */
export function TestForm({ message, fault }: TestFormProps) {
  const { test: texts } = useTexts().send
  const format = useFormat()
  const whyNot = useId()
  const [chosen, setChosen] = useState<Device[]>([])
  const send = useTestSend(message)
  const toggle = (device: Device) =>
    setChosen((old) => {
      const others = old.filter(({ installationId }) => installationId !== device.installationId)
      return others.length < old.length ? others : [...old, device].slice(0, mostDevices)
    })
  return (
    <Stack gap="sm">
      <DeviceChooser chosen={chosen} onToggle={toggle} />
      {send.error && <Fault error={send.error} />}
      <Group gap="sm">
        <Button
          size="xs"
          disabled={chosen.length === 0 || fault !== undefined}
          aria-describedby={whyNot}
          loading={send.isPending}
          onClick={() => send.mutate(chosen)}
          leftSection={<IconDeviceMobileMessage size={15} />}
        >
          {texts.send(chosen.length, format.number(chosen.length))}
        </Button>
        <Text size="xs" c="dimmed" id={whyNot}>
          {fault ?? (chosen.length === mostDevices ? texts.most : undefined)}
        </Text>
      </Group>
      {send.data && <TestResults sent={send.data.sent} devices={send.variables} />}
    </Stack>
  )
}
