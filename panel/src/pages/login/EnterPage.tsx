import { Button, Loader, Stack } from '@mantine/core'
import type { Session } from '@peyk/contract'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { LoginForm } from './LoginForm.tsx'
import { LoginPage } from './LoginPage.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { SignInFault } from './SignInFault.tsx'
import { useSignIn } from './use-sign-in.ts'

/** The page of a one-time link: its key is behind the #, so that it is in no log on the way. */
export function EnterPage() {
  const { login } = useTexts()
  const navigate = useNavigate()
  const goOn = () => void navigate({ to: '/', replace: true })
  const [entered, setEntered] = useState<Session>()
  const signIn = useSignIn((session) => {
    // The demo's own password is at hand, in demo.json.
    const hasNone = session.needsPassword || session.mode === 'production'
    if (session.mayChoosePassword && hasNone) setEntered(session)
    else goOn()
  })
  const key = useRef(location.hash.slice(1))
  const { mutate } = signIn
  useEffect(() => {
    if (key.current === '') return
    mutate({ key: key.current })
    key.current = ''
    history.replaceState(null, '', location.pathname)
  }, [mutate])

  if (entered !== undefined) {
    return (
      <LoginPage title={login.choose} text={login.chooseText(entered.member.email)}>
        <PasswordForm isFirst onDone={goOn}>
          {!entered.needsPassword && (
            <Button variant="subtle" onClick={goOn}>
              {login.later}
            </Button>
          )}
        </PasswordForm>
      </LoginPage>
    )
  }
  if (signIn.isError) {
    return (
      <LoginPage>
        <Stack>
          <SignInFault error={signIn.error} isLink />
          <LoginForm onDone={goOn} />
        </Stack>
      </LoginPage>
    )
  }
  if (signIn.isIdle) {
    return (
      <LoginPage>
        <LoginForm onDone={goOn} />
      </LoginPage>
    )
  }
  return (
    <LoginPage title={login.entering} text="">
      <Loader />
    </LoginPage>
  )
}
