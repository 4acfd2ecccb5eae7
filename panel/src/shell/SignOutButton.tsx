import { Button } from '@mantine/core'
import { useTexts } from '../texts/LanguageProvider.tsx'
import { useSignOut } from './use-sign-out.ts'

export function SignOutButton() {
  const { shell } = useTexts()
  const signOut = useSignOut()
  return (
    <Button variant="subtle" loading={signOut.isPending} onClick={() => signOut.mutate()}>
      {shell.signOut}
    </Button>
  )
}
