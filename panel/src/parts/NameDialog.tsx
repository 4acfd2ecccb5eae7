import { Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTexts } from '../texts/LanguageProvider.tsx'
import { Fault } from './Fault.tsx'
import { FormButtons } from './fields/FormButtons.tsx'

interface NameDialogProps {
  title: string
  label: string
  /** "Save" unless given. */
  submit?: string
  name: string
  isBusy?: boolean
  error?: Error | null
  /** In place of the error, where something can be done about it. */
  children?: ReactNode
  onSave(name: string): void
  onClose(): void
}

/** Asks for a name. */
export function NameDialog({
  title,
  label,
  submit,
  isBusy = false,
  error,
  children,
  onSave,
  onClose,
  ...given
}: NameDialogProps) {
  const { common } = useTexts()
  const [name, setName] = useState(given.name)
  const save = (event: FormEvent) => {
    event.preventDefault()
    onSave(name.trim())
  }
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': common.close }} centered>
      <form onSubmit={save}>
        <Stack>
          {children || (error && <Fault error={error} />)}
          <TextInput
            label={label}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            maxLength={100}
            dir="auto"
            data-autofocus
          />
          <FormButtons
            onCancel={onClose}
            {...(submit !== undefined && { submit })}
            isBusy={isBusy}
            isDisabled={name.trim() === ''}
          />
        </Stack>
      </form>
    </Modal>
  )
}
