import { Alert, Checkbox, Modal, Stack } from '@mantine/core'
import type { Finding, Provider, setProvider } from '@peyk/contract'
import { type FormEvent, useState } from 'react'
import { ApiFault } from '#api/call.ts'
import { useAppMutation } from '#api/use-app-query.ts'
import { Fault } from '#parts/Fault.tsx'
import { FormButtons } from '#parts/fields/FormButtons.tsx'
import { useToast } from '#parts/hooks/use-toast.ts'
import { useTexts } from '#texts/LanguageProvider.tsx'
import type { ProviderName } from '../queries.ts'
import { Findings } from './Findings.tsx'
import { ApnsFields, type Credentials, FcmFields, WebPushFields } from './PushFields.tsx'
import { SmsFields } from './SmsFields.tsx'
import { writeCredentials } from './write-credentials.ts'

const fieldsOf = { fcm: FcmFields, apns: ApnsFields, webpush: WebPushFields, sms: SmsFields }

interface ProviderDialogProps {
  name: ProviderName
  provider: Provider | undefined
  isOpen: boolean
  onClose(): void
}

/** Credentials go in and never come out again: the form begins empty but for what is no secret. */
export function ProviderDialog({ name, provider, isOpen, onClose }: ProviderDialogProps) {
  const { settings, common } = useTexts()
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={settings.providers.services[name]}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': common.close }}
      size="lg"
    >
      <ProviderForm name={name} provider={provider} onClose={onClose} />
    </Modal>
  )
}

function ProviderForm({ name, provider, onClose }: Omit<ProviderDialogProps, 'isOpen'>) {
  const { settings } = useTexts()
  const words = settings.providers
  const toast = useToast()
  const [credentials, setCredentials] = useState<Credentials>(() => startingWith(name, provider))
  const [isForced, setIsForced] = useState(false)
  const save = useAppMutation<typeof setProvider, Credentials>('PUT', `/providers/${name}`, {
    refreshes: ['/providers'],
    onSuccess: ({ warning, warningCode }) => {
      toast.done(words.warnings[warningCode ?? ''] ?? warning ?? words.stored)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ ...writeCredentials(name, credentials), ...(isForced && { force: true }) })
  }
  const Fields = fieldsOf[name]
  return (
    <form onSubmit={submit}>
      <Stack>
        <Fields value={credentials} onChange={(change) => setCredentials((old) => ({ ...old, ...change }))} />
        {save.isError && <Refusal error={save.error} isForced={isForced} onForce={setIsForced} />}
        <FormButtons onCancel={onClose} isBusy={save.isPending} />
      </Stack>
    </form>
  )
}

function startingWith(name: ProviderName, provider: Provider | undefined): Credentials {
  const shown = provider?.simulated ? undefined : provider?.shown
  if (name === 'apns') return { environment: 'production', ...shown }
  if (name === 'webpush') return { subject: shown?.subject ?? '' }
  if (name === 'sms')
    return {
      kind: 'twilio',
      method: 'POST',
      contentType: 'json',
      dailyLimit: 1000,
      ...(shown?.kind === 'twilio' && shown),
    }
  return {}
}

interface RefusalProps {
  error: unknown
  isForced: boolean
  onForce(isForced: boolean): void
}

function Refusal({ error, isForced, onForce }: RefusalProps) {
  const { settings } = useTexts()
  const words = settings.providers
  const findings = error instanceof ApiFault ? (error.details?.findings as Finding[] | undefined) : undefined
  if (!findings) return <Fault error={error} />
  // What cannot be read is not stored in any case.
  const titles: Partial<Record<string, string>> = {
    'credentials-refused': words.refused,
    'credentials-unchecked': words.unchecked,
  }
  const title = titles[(error as ApiFault).code]
  const mayForce = title !== undefined
  return (
    <Alert color="red" variant="light" title={title ?? words.unreadable} role="alert">
      <Stack gap="sm">
        <Findings findings={findings} />
        {mayForce && (
          <Checkbox label={words.force} checked={isForced} onChange={(event) => onForce(event.currentTarget.checked)} />
        )}
      </Stack>
    </Alert>
  )
}
