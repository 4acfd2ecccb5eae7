import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import type { panelChangePassword } from '@peyk/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { call } from '../../api/call.ts'
import { sessionKey } from '../../api/session-key.ts'
import { Fault } from '../../parts/Fault.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'

interface PasswordFormProps {
  /** Whoever came by a link need not know the current one. */
  isFirst: boolean
  onDone(): void
  /** Beside the button. */
  children?: ReactNode
}

export function PasswordForm({ isFirst, onDone, children }: PasswordFormProps) {
  const { login, common } = useTexts()
  const toast = useToast()
  const client = useQueryClient()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const change = useMutation({
    mutationFn: () =>
      call<typeof panelChangePassword>('PUT', '/password', { body: { ...(!isFirst && { current }), next } }),
    onSuccess: () => {
      toast.done(login.passwordChanged)
      void client.invalidateQueries({ queryKey: sessionKey })
      onDone()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {!isFirst && (
          <PasswordInput
            visibilityToggleButtonProps={{ 'aria-label': login.showPassword }}
            label={login.currentPassword}
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            data-autofocus
          />
        )}
        <PasswordInput
          visibilityToggleButtonProps={{ 'aria-label': login.showPassword }}
          label={login.newPassword}
          description={login.passwordRule}
          autoComplete="new-password"
          required
          withAsterisk={false}
          minLength={10}
          maxLength={200}
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
          data-autofocus={isFirst || undefined}
        />
        {change.isError && <Fault error={change.error} />}
        <Group justify="flex-end">
          {children}
          <Button type="submit" loading={change.isPending}>
            {common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
