import { Button, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Fault } from '../../parts/Fault.tsx'
import { FormButtons } from '../../parts/fields/FormButtons.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import type { PhoneKind } from './PhoneCard.tsx'
import { useAddPhone } from './queries.ts'

const kinds: readonly PhoneKind[] = ['android', 'noProvider', 'ios', 'web']

export function AddPhone() {
  const { phones: words, common } = useTexts()
  const [isOpen, dialog] = useDisclosure(false)
  const [kind, setKind] = useState<PhoneKind>('android')
  const [userId, setUserId] = useState('user-1')
  const add = useAddPhone(dialog.close)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate(kind === 'noProvider' ? { platform: 'android', provider: 'none', userId } : { platform: kind, userId })
  }
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
        {words.add}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={words.add} closeButtonProps={{ 'aria-label': common.close }}>
        <form onSubmit={submit}>
          <Stack>
            <Select
              label={words.kind}
              data={kinds.map((value) => ({ value, label: words.kinds[value] }))}
              value={kind}
              allowDeselect={false}
              onChange={(value) => setKind(value as PhoneKind)}
            />
            <TextInput
              label={words.user}
              description={words.userText}
              required
              value={userId}
              onChange={(event) => setUserId(event.currentTarget.value)}
            />
            {add.isError && <Fault error={add.error} />}
            <FormButtons onCancel={dialog.close} submit={words.add} isBusy={add.isPending} />
          </Stack>
        </form>
      </Modal>
    </>
  )
}
