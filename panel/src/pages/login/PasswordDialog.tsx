import { Button, Group, Modal, PasswordInput, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/call.ts'
import { Fault } from '../../parts/Fault.tsx'
import { useToast } from '../../parts/use-toast.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'

export function PasswordDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { login, shell, common } = useTexts()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const toast = useToast()
  const close = () => {
    setCurrent('')
    setNext('')
    change.reset()
    onClose()
  }
  const change = useMutation({
    mutationFn: () => call('PUT', '/password', { body: { current, next } }),
    onSuccess: () => {
      toast.done(login.passwordChanged)
      close()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <Modal opened={isOpen} onClose={close} title={shell.password} closeButtonProps={{ 'aria-label': common.close }}>
      <form onSubmit={submit}>
        <Stack>
          <PasswordInput
            label={login.currentPassword}
            autoComplete="current-password"
            required
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            data-autofocus
          />
          <PasswordInput
            label={login.newPassword}
            description={login.passwordRule}
            autoComplete="new-password"
            required
            minLength={10}
            value={next}
            onChange={(event) => setNext(event.currentTarget.value)}
          />
          {change.isError && <Fault error={change.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={change.isPending}>
              {common.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
