import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useApp } from '#api/use-app.ts'
import { useToast } from '#parts/hooks/use-toast.ts'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import type { Composer } from '../use-composer.ts'
import { useReadDraft } from './queries.ts'

/** Somebody else has saved the draft, sent it or deleted it: which of the two is to stay is theirs to say who look at it. */
export function DraftClash({ composer }: { composer: Composer }) {
  const { drafts: texts } = useTexts()
  const { email } = useApp()
  const format = useFormat()
  const toast = useToast()
  const read = useReadDraft()
  const { saving, open } = composer
  const { clash } = saving
  if (clash === undefined) return null
  const isGone = clash.what === 'gone'
  const load = () => read.mutate(open.id, { onSuccess: composer.showStored, onError: toast.failed })
  const said = () => {
    if (clash.what === 'gone') return texts.gone
    const time = format.clock(clash.at)
    return clash.by === email ? texts.changedByYou(time) : texts.changedBy(clash.by, time)
  }
  return (
    <Alert variant="light" color="orange" mb="md" icon={<IconAlertTriangle />} role="alert">
      <Text size="sm">{said()}</Text>
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" variant="default" onClick={composer.keepCopy}>
          {isGone ? texts.keepNew : texts.keepCopy}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          loading={read.isPending}
          onClick={isGone ? composer.startNew : load}
        >
          {isGone ? texts.discard : texts.loadTheirs}
        </Button>
      </Group>
    </Alert>
  )
}
