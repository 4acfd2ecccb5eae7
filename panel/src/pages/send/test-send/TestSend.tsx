import { Button, Group, Text, Title } from '@mantine/core'
import type { ComposedMessage } from '@peyk/contract'
import { IconDeviceMobileMessage } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { TestForm } from './TestForm.tsx'
import classes from './TestSend.module.css'

/** The message on real devices of one's own, before anybody else has it. */
export function TestSend({ message, fault }: { message: ComposedMessage; fault: string | undefined }) {
  const { test: texts } = useTexts().send
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className={classes.test}>
      <Group justify="space-between" gap="sm" mb={isOpen ? 'sm' : 0}>
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
      {isOpen && <TestForm message={message} fault={fault} />}
    </div>
  )
}
