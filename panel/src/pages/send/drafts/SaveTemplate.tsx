import { Alert, Button, Modal, Stack, Text } from '@mantine/core'
import { ApiFault } from '#api/call.ts'
import { useToast } from '#parts/hooks/use-toast.ts'
import { NameDialog } from '#parts/NameDialog.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { useChangeTemplate, useCreateTemplate } from '../../templates/queries.ts'
import { templateOf } from '../draft/template-of.ts'
import type { Composer } from '../use-composer.ts'

interface SaveTemplateProps {
  composer: Composer
  name: string
  onClose(): void
}

/** What the page says becomes a template, in the place of another when that is wanted. */
export function SaveTemplate({ composer, name, onClose }: SaveTemplateProps) {
  const { drafts: texts, templates, common } = useTexts()
  const toast = useToast()
  const create = useCreateTemplate()
  const change = useChangeTemplate()
  const message = templateOf(composer.message)
  const done = (saved: { name: string }) => {
    toast.done(templates.saved(saved.name))
    onClose()
  }
  if (composer.messageFault !== undefined) {
    return (
      <Modal
        opened
        onClose={onClose}
        title={texts.saveTemplate}
        closeButtonProps={{ 'aria-label': common.close }}
        centered
      >
        <Stack>
          <Text>{templates.fixFirst}</Text>
          <Text>{composer.messageFault}</Text>
        </Stack>
      </Modal>
    )
  }
  const takenBy = idOfNamesake(create.error)
  const replace = (id: string) => change.mutate({ id, message }, { onSuccess: done })
  return (
    <NameDialog
      title={texts.saveTemplate}
      label={templates.name}
      submit={texts.saveTemplateShort}
      name={name}
      isBusy={create.isPending}
      error={change.error ?? create.error}
      onSave={(given) => create.mutate({ name: given, message }, { onSuccess: done })}
      onClose={onClose}
    >
      {takenBy !== undefined && !change.error && (
        <Alert variant="light" color="orange" role="alert">
          <Text size="sm" mb="xs">
            {templates.exists}
          </Text>
          <Button size="compact-sm" variant="default" loading={change.isPending} onClick={() => replace(takenBy)}>
            {templates.replace}
          </Button>
        </Alert>
      )}
    </NameDialog>
  )
}

function idOfNamesake(error: unknown): string | undefined {
  const id = error instanceof ApiFault && error.code === 'already-exists' ? error.details?.id : undefined
  return typeof id === 'string' ? id : undefined
}
