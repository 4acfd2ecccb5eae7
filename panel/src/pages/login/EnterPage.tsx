import { Center, Loader } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Fault } from '../../parts/Fault.tsx'
import { LoginPage } from './LoginPage.tsx'
import { useSignIn } from './use-sign-in.ts'

/** The page of a one-time link: its key is behind the #, so that it is in no log on the way. */
export function EnterPage() {
  const navigate = useNavigate()
  const signIn = useSignIn(() => void navigate({ to: '/', replace: true }))
  const key = useRef(location.hash.slice(1))
  const { mutate } = signIn
  useEffect(() => {
    if (key.current === '') return
    mutate({ key: key.current })
    key.current = ''
    history.replaceState(null, '', location.pathname)
  }, [mutate])
  if (!signIn.isError && !signIn.isIdle) {
    return (
      <Center mih="100vh">
        <Loader />
      </Center>
    )
  }
  return (
    <>
      {signIn.isError && <Fault error={signIn.error} />}
      <LoginPage />
    </>
  )
}
