import { Modal, Stack, Textarea } from '@mantine/core'
import type { PanelToken, panelChangeOrigins } from '@peyk/contract'
import { type FormEvent, useState } from 'react'
import { useAppMutation } from '#api/use-app-query.ts'
import { Fault } from '#parts/Fault.tsx'
import { FormButtons } from '#parts/fields/FormButtons.tsx'
import { useToast } from '#parts/hooks/use-toast.ts'
import { useTexts } from '#texts/LanguageProvider.tsx'

/** One per line, without the empty ones. */
export function readLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

export function OriginsDialog({ token, onClose }: { token: PanelToken | undefined; onClose: () => void }) {
  const { settings, common } = useTexts()
  const words = settings.keys
  const toast = useToast()
  const [text, setText] = useState(token?.origins?.join('\n') ?? '')
  const save = useAppMutation<typeof panelChangeOrigins>('PUT', `/tokens/${token?.id}/origins`, {
    refreshes: ['/tokens'],
    onSuccess: () => {
      toast.done(common.saved)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ origins: readLines(text) })
  }
  return (
    <Modal
      opened={token !== undefined}
      onClose={onClose}
      title={words.editOrigins}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <form onSubmit={submit}>
        <Stack>
          <Textarea
            label={words.origins}
            description={words.originsText}
            placeholder="https://shop.example"
            autosize
            minRows={3}
            dir="ltr"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
          {save.isError && <Fault error={save.error} />}
          <FormButtons onCancel={onClose} isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}
