import { Button, Checkbox, Modal, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { createWebhook, replaceWebhook, Webhook, WebhookEvent } from '@peyk/contract'
import { type FormEvent, useState } from 'react'
import { useAppMutation } from '#api/use-app-query.ts'
import { Fault } from '#parts/Fault.tsx'
import { FormButtons } from '#parts/fields/FormButtons.tsx'
import { useToast } from '#parts/hooks/use-toast.ts'
import { useTexts } from '#texts/LanguageProvider.tsx'

interface WebhookDialogProps {
  webhook: Webhook | 'new' | undefined
  onClose(): void
  onSecret(secret: string): void
}

export function WebhookDialog({ webhook, onClose, onSecret }: WebhookDialogProps) {
  const { settings, common } = useTexts()
  const words = settings.webhooks
  const { ping: _, ...names } = words.eventNames
  const toast = useToast()
  const old = webhook === 'new' ? undefined : webhook
  const [url, setUrl] = useState(old?.url ?? '')
  const [events, setEvents] = useState<WebhookEvent[]>(old?.events ?? [])
  const all = Object.keys(names) as WebhookEvent[]
  const isAll = all.every((event) => events.includes(event))
  const save = useAppMutation<typeof createWebhook | typeof replaceWebhook>(
    old === undefined ? 'POST' : 'PUT',
    old === undefined ? '/webhooks' : `/webhooks/${old.id}`,
    {
      refreshes: ['/webhooks'],
      onSuccess: (saved) => {
        onClose()
        if ('secret' in saved) onSecret(saved.secret)
        else toast.done(common.saved)
      },
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ url, events })
  }
  return (
    <Modal
      opened={webhook !== undefined}
      onClose={onClose}
      title={old === undefined ? words.new : words.edit}
      closeButtonProps={{ 'aria-label': common.close }}
      size="lg"
    >
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={words.url}
            description={words.urlText}
            placeholder="https://shop.example/hooks/peyk"
            type="url"
            required
            withAsterisk={false}
            dir="ltr"
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            data-autofocus
          />
          <Checkbox.Group label={words.events} value={events} onChange={setEvents}>
            <Button variant="default" size="compact-sm" mt={8} onClick={() => setEvents(isAll ? [] : all)}>
              {isAll ? words.noEvents : words.allEvents}
            </Button>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={8}>
              {Object.entries(names).map(([event, label]) => (
                <Checkbox key={event} value={event} label={label} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
          {save.isError && <Fault error={save.error} />}
          <FormButtons
            onCancel={onClose}
            submit={old === undefined ? words.add : common.save}
            isBusy={save.isPending}
            isDisabled={events.length === 0}
          />
        </Stack>
      </form>
    </Modal>
  )
}
