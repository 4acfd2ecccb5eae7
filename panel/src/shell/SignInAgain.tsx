import { Modal, Stack, Text } from '@mantine/core'
import { LoginForm } from '../pages/login/LoginForm.tsx'
import { useTexts } from '../texts/LanguageProvider.tsx'

/** Over the page, which stays as it is. */
export function SignInAgain({ isNeeded }: { isNeeded: boolean }) {
  const { shell } = useTexts()
  return (
    <Modal
      opened={isNeeded}
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={shell.signInAgain}
      centered
    >
      <Stack>
        <Text>{shell.signInAgainText}</Text>
        <LoginForm />
      </Stack>
    </Modal>
  )
}
