import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Fault } from '../../parts/Fault.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useSignIn } from './use-sign-in.ts'

export function LoginForm() {
  const { login } = useTexts()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useSignIn()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate({ email, password })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={login.email}
          type="email"
          name="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          data-autofocus
        />
        <PasswordInput
          label={login.password}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {signIn.isError && <Fault error={signIn.error} />}
        <Button type="submit" loading={signIn.isPending} fullWidth>
          {login.signIn}
        </Button>
      </Stack>
    </form>
  )
}
