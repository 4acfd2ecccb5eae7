import { Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useGo } from '../../parts/AppLink.tsx'
import { Fault } from '../../parts/Fault.tsx'
import { FormButtons } from '../../parts/fields/FormButtons.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useCreateCampaign } from './queries.ts'
import { suggestTrackId } from './suggest-track-id.ts'

/** Made ahead of the first message, so that its codes can be uploaded. */
export function CreateCampaign({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { campaigns: texts, common } = useTexts()
  const create = useCreateCampaign()
  const toast = useToast()
  const go = useGo()
  const [name, setName] = useState('')
  const [typedId, setTypedId] = useState<string>()
  const trackId = typedId ?? suggestTrackId(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(
      { trackId: trackId.trim(), ...(name.trim() !== '' && { name: name.trim() }) },
      {
        onSuccess: (made) => {
          toast.done(texts.created(made.name), { isOfNextPage: true })
          go(`/campaigns/${encodeURIComponent(made.trackId)}`)
        },
      },
    )
  }
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={texts.new}
      closeButtonProps={{ 'aria-label': common.close }}
      centered
    >
      <form onSubmit={submit}>
        <Stack>
          {create.error && <Fault error={create.error} />}
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            maxLength={255}
            data-autofocus
          />
          <TextInput
            label={texts.trackId}
            description={texts.trackIdHint}
            value={trackId}
            onChange={({ currentTarget }) => setTypedId(currentTarget.value)}
            maxLength={255}
            dir="ltr"
            required
          />
          <FormButtons
            onCancel={onClose}
            submit={texts.create}
            isBusy={create.isPending}
            isDisabled={trackId.trim() === ''}
          />
        </Stack>
      </form>
    </Modal>
  )
}
