import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { SignInFault } from './SignInFault.tsx'
import { useSignIn } from './use-sign-in.ts'

export function LoginForm({ onDone }: { onDone?: () => void }) {
  const { login } = useTexts()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useSignIn(onDone)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
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
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          dir="ltr"
          size="md"
          ref={first}
          data-autofocus
        />
        <PasswordInput
          visibilityToggleButtonProps={{ 'aria-label': login.showPassword }}
          label={login.password}
          name="password"
          autoComplete="current-password"
          size="md"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {signIn.isError && <SignInFault error={signIn.error} />}
        <Button type="submit" loading={signIn.isPending} size="md" fullWidth>
          {login.signIn}
        </Button>
      </Stack>
    </form>
  )
}
