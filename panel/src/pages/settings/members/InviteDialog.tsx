import { Modal, Radio, Stack, TextInput } from '@mantine/core'
import type { AnswerOf, panelInviteMember, Role } from '@peyk/contract'
import { type FormEvent, useState } from 'react'
import { useAppMutation } from '#api/use-app-query.ts'
import { Fault } from '#parts/Fault.tsx'
import { FormButtons } from '#parts/fields/FormButtons.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { LinkShown } from './LinkShown.tsx'
import { roles } from './roles.ts'

type Invited = AnswerOf<typeof panelInviteMember>

export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { settings, common } = useTexts()
  const words = settings.members
  const [invited, setInvited] = useState<Invited>()
  const close = () => {
    setInvited(undefined)
    onClose()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={invited === undefined ? words.invite : words.invited(invited.email)}
      closeOnClickOutside={invited === undefined}
      closeButtonProps={{ 'aria-label': common.close }}
      size="lg"
    >
      {invited === undefined ? (
        <InviteForm onInvited={setInvited} onClose={close} />
      ) : (
        <LinkShown link={invited} onDone={close} />
      )}
    </Modal>
  )
}

interface InviteFormProps {
  onInvited(invited: Invited): void
  onClose(): void
}

function InviteForm({ onInvited, onClose }: InviteFormProps) {
  const { settings, common } = useTexts()
  const words = settings.members
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('marketer')
  const invite = useAppMutation<typeof panelInviteMember>('POST', '/members', {
    refreshes: ['/members'],
    onSuccess: onInvited,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate({ email, role })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={words.email}
          type="email"
          required
          withAsterisk={false}
          dir="ltr"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          data-autofocus
        />
        <Radio.Group label={words.role} value={role} onChange={(value) => setRole(value as Role)}>
          <Stack gap="xs" mt={6}>
            {roles.map((one) => (
              <Radio key={one} value={one} label={common.roles[one]} description={words.roleTexts[one]} />
            ))}
          </Stack>
        </Radio.Group>
        {invite.isError && <Fault error={invite.error} />}
        <FormButtons onCancel={onClose} submit={words.inviteButton} isBusy={invite.isPending} />
      </Stack>
    </form>
  )
}
