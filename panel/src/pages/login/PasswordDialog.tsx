import { Button, Modal } from '@mantine/core'
import { useSession } from '../../api/use-session.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { PasswordForm } from './PasswordForm.tsx'

export function PasswordDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { shell, common } = useTexts()
  const session = useSession()
  return (
    <Modal opened={isOpen} onClose={onClose} title={shell.password} closeButtonProps={{ 'aria-label': common.close }}>
      <PasswordForm isFirst={session.data?.mayChoosePassword ?? false} onDone={onClose}>
        <Button variant="default" onClick={onClose}>
          {common.cancel}
        </Button>
      </PasswordForm>
    </Modal>
  )
}
