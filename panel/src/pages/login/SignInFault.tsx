import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiFault } from '../../api/call.ts'
import { Fault } from '../../parts/Fault.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'

/** The usual reason in the member's language; any other as everywhere. */
export function SignInFault({ error, isLink = false }: { error: unknown; isLink?: boolean }) {
  const { login } = useTexts()
  if (!(error instanceof ApiFault && error.code === 'wrong-sign-in')) return <Fault error={error} />
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} role="alert">
      {isLink ? login.linkUsed : login.wrong}
    </Alert>
  )
}
