import { Checkbox, Modal, Radio, Select, Stack, Textarea, TextInput, VisuallyHidden } from '@mantine/core'
import type { PanelNewToken, panelCreateToken } from '@peyk/contract'
import { type FormEvent, useState } from 'react'
import { useAppMutation } from '#api/use-app-query.ts'
import { Fault } from '#parts/Fault.tsx'
import { FormButtons } from '#parts/fields/FormButtons.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { SecretShown } from '../SecretShown.tsx'
import { readLines } from './OriginsDialog.tsx'

interface NewTokenDialogProps {
  kind: 'token' | 'key'
  isOpen: boolean
  onClose(): void
}

/** Asks what is wanted, then shows the token, which nobody sees again. */
export function NewTokenDialog({ kind, isOpen, onClose }: NewTokenDialogProps) {
  const { settings, common } = useTexts()
  const words = settings[kind === 'key' ? 'keys' : 'tokens']
  const [made, setMade] = useState<PanelNewToken>()
  const close = () => {
    setMade(undefined)
    onClose()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={made === undefined ? words.new : words.made(made.name)}
      closeButtonProps={{ 'aria-label': common.close }}
      closeOnClickOutside={made === undefined}
      size="lg"
    >
      {made === undefined ? (
        <NewTokenForm kind={kind} onMade={setMade} onClose={close} />
      ) : (
        <SecretShown label={words.secret} value={made.secret} use={words.use} onDone={close} />
      )}
    </Modal>
  )
}

const parts = ['push', 'tags', 'events', 'promo', 'read'] as const
const expiryDays = { never: 0, days30: 30, days90: 90, days365: 365 } as const
type Expiry = keyof typeof expiryDays

interface FormProps {
  kind: 'token' | 'key'
  onMade(token: PanelNewToken): void
  onClose(): void
}

function NewTokenForm({ kind, onMade, onClose }: FormProps) {
  const { settings } = useTexts()
  const words = settings.tokens
  const [name, setName] = useState('')
  const [isServer, setIsServer] = useState(true)
  const [chosen, setChosen] = useState<string[]>([])
  const [expiry, setExpiry] = useState<Expiry>('never')
  const [origins, setOrigins] = useState('')
  const make = useAppMutation<typeof panelCreateToken>('POST', '/tokens', {
    refreshes: ['/tokens'],
    onSuccess: onMade,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const days = expiryDays[expiry]
    make.mutate({
      name,
      ...(kind === 'key'
        ? { scopes: ['client'], origins: readLines(origins) }
        : { scopes: isServer ? ['server'] : chosen }),
      ...(days > 0 && { expiresAt: Date.now() + days * 86_400_000 }),
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={words.name}
          description={words.nameText}
          placeholder={kind === 'key' ? settings.keys.namePlaceholder : words.namePlaceholder}
          required
          withAsterisk={false}
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        {kind === 'key' ? (
          <Textarea
            label={settings.keys.origins}
            description={settings.keys.originsText}
            placeholder="https://shop.example"
            autosize
            minRows={2}
            dir="ltr"
            value={origins}
            onChange={(event) => setOrigins(event.currentTarget.value)}
          />
        ) : (
          <>
            <Radio.Group
              label={words.scope}
              value={isServer ? 'server' : 'parts'}
              onChange={(value) => setIsServer(value === 'server')}
            >
              <Stack gap="xs" mt={6}>
                <Radio value="server" label={words.scopes.server?.[0]} description={words.scopes.server?.[1]} />
                <Radio value="parts" label={words.onlyParts} />
              </Stack>
            </Radio.Group>
            {!isServer && (
              <Checkbox.Group
                value={chosen}
                onChange={setChosen}
                label={<VisuallyHidden>{words.onlyParts}</VisuallyHidden>}
              >
                <Stack gap="xs" ps={32}>
                  {parts.map((scope) => (
                    <Checkbox
                      key={scope}
                      value={scope}
                      label={words.scopes[scope]?.[0]}
                      description={words.scopes[scope]?.[1]}
                    />
                  ))}
                </Stack>
              </Checkbox.Group>
            )}
            <Select
              label={words.expires}
              data={Object.entries(words.expiry).map(([value, label]) => ({ value, label }))}
              value={expiry}
              onChange={(value) => setExpiry(value as Expiry)}
              allowDeselect={false}
              maw={240}
            />
          </>
        )}
        {make.isError && <Fault error={make.error} />}
        <FormButtons
          onCancel={onClose}
          submit={kind === 'key' ? settings.keys.make : words.make}
          isBusy={make.isPending}
          isDisabled={kind === 'token' && !isServer && chosen.length === 0}
        />
      </Stack>
    </form>
  )
}
