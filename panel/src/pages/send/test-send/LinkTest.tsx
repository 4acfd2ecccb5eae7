import { Button, Modal, Stack, Text } from '@mantine/core'
import { IconDeviceMobileMessage } from '@tabler/icons-react'
import { useState } from 'react'
import { Mono } from '#parts/Mono.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { useSending } from '../sending.ts'
import { TestForm } from './TestForm.tsx'

/** Tries the message's link on a phone, with a notification that has nothing else: the rest need not be written yet. */
export function LinkTest({ link }: { link: string }) {
  const { send, common } = useTexts()
  const { test: texts } = send
  const { sample } = useSending()
  const [isOpen, setIsOpen] = useState(false)
  if (link.trim() === '') return null
  const notification = { title: sample?.look.name ?? '', body: texts.linkBody, clickUrl: link.trim() }
  return (
    <>
      <Button
        variant="subtle"
        size="compact-xs"
        mt={4}
        ms={-6}
        leftSection={<IconDeviceMobileMessage size={14} />}
        onClick={() => setIsOpen(true)}
      >
        {texts.link}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={texts.linkTitle}
        closeButtonProps={{ 'aria-label': common.close }}
        size="lg"
        centered
      >
        <Stack gap="sm">
          <Text size="sm">{texts.linkText}</Text>
          <Mono>{link.trim()}</Mono>
          <TestForm message={{ product: 'notification', notification }} />
        </Stack>
      </Modal>
    </>
  )
}
