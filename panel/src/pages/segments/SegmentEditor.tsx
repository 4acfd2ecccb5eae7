import { Badge, Box, Button, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { SegmentDetail } from '@peyk/contract'
import { IconDeviceFloppy, IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { ApiFault } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { useGo, useLinkTo } from '../../parts/AppLink.tsx'
import { BackLink } from '../../parts/BackLink.tsx'
import { useFaultText } from '../../parts/Fault.tsx'
import { useLeaveQuestion } from '../../parts/hooks/use-leave-question.ts'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { SegmentFunnel } from '../../parts/segment-builder/SegmentFunnel.tsx'
import { SegmentNumber } from '../../parts/segment-builder/SegmentNumber.tsx'
import { SegmentRules } from '../../parts/segment-builder/SegmentRules.tsx'
import { SegmentSentence } from '../../parts/segment-builder/SegmentSentence.tsx'
import {
  hasWholeRule,
  isComplete,
  isEmpty,
  type SegmentValue,
  startingSegment,
} from '../../parts/segment-builder/segment-draft.ts'
import { useSegmentCount } from '../../parts/segment-builder/use-segment-count.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useSaveSegment } from './queries.ts'
import classes from './SegmentEditor.module.css'
import { SegmentMenu } from './SegmentMenu.tsx'
import { SegmentSamplePanel } from './SegmentSamplePanel.tsx'
import { SegmentSizes } from './SegmentSizes.tsx'
import { SegmentUses } from './SegmentUses.tsx'

interface SegmentEditorProps {
  saved?: SegmentDetail
  /** What a new one begins with. */
  start?: { name: string; segment: SegmentValue }
}

export function SegmentEditor({ saved, start }: SegmentEditorProps) {
  const { segments: texts, shell, common } = useTexts()
  const say = useFaultText()
  const { may } = useApp()
  const go = useGo()
  const linkTo = useLinkTo()
  const toast = useToast()
  const stored = saved ?? start
  const [name, setName] = useState(stored?.name ?? '')
  const [begun] = useState(startingSegment)
  const [segment, setSegment] = useState<SegmentValue>(stored?.segment ?? begun)
  const [settled] = useDebouncedValue(segment, 300)
  const counted = useSegmentCount(segment)
  const isChanged = name !== (saved?.name ?? '') || JSON.stringify(segment) !== JSON.stringify(saved?.segment ?? begun)
  const save = useSaveSegment(saved?.id, ({ id }) => {
    toast.done(common.saved, { isOfNextPage: saved === undefined })
    if (saved !== undefined) return
    letLeave()
    go(`/segments/${id}`)
  })
  const letLeave = useLeaveQuestion(isChanged && may('edit-segments'))

  const nameFault = save.error instanceof ApiFault && save.error.code === 'already-exists' ? say(save.error) : undefined
  const canSave = isChanged && name.trim() !== '' && isComplete(segment) && !isEmpty(segment) && counted.error === null
  const submit = () => save.mutate({ name: name.trim(), segment }, { onError: (error) => nameOr(error) })
  const nameOr = (error: Error) => {
    if (!(error instanceof ApiFault && error.code === 'already-exists')) toast.failed(error)
  }
  return (
    <>
      <PageHead
        title={saved?.name ?? texts.new}
        above={<BackLink to="/segments">{shell.segments}</BackLink>}
        lead={<SegmentSentence value={segment} />}
        actions={
          <>
            {isChanged && saved !== undefined && may('edit-segments') && (
              <Badge variant="light" color="yellow" c="var(--mantine-color-text)">
                {texts.unsaved}
              </Badge>
            )}
            {saved !== undefined && may('send-to-many') && (
              <Button
                variant="default"
                leftSection={<IconSend size={16} />}
                renderRoot={linkTo('/send', { segment: saved.id })}
              >
                {texts.send}
              </Button>
            )}
            {may('edit-segments') && (
              <Button
                leftSection={<IconDeviceFloppy size={16} />}
                onClick={submit}
                disabled={!canSave}
                loading={save.isPending}
              >
                {saved === undefined ? texts.save : texts.saveChanges}
              </Button>
            )}
            {saved !== undefined && <SegmentMenu saved={saved} onGone={letLeave} />}
          </>
        }
      />
      <Box className={classes.columns}>
        <div className={classes.rules}>
          <Panel>
            <Stack>
              {may('edit-segments') && (
                <TextInput
                  label={texts.name}
                  placeholder={texts.namePlaceholder}
                  value={name}
                  onChange={({ currentTarget }) => setName(currentTarget.value)}
                  maxLength={255}
                  error={nameFault}
                  {...(name.trim() === '' &&
                    isComplete(segment) &&
                    !isEmpty(segment) && { description: texts.nameNeeded })}
                />
              )}
              <div>
                <Text size="sm" fw={600} mb={6}>
                  {texts.rules}
                </Text>
                <SegmentRules value={segment} onChange={setSegment} error={counted.error} />
              </div>
            </Stack>
          </Panel>
        </div>
        <Stack className={classes.side}>
          <Panel>
            <Stack gap="md">
              <SegmentNumber of={counted} size={34} />
              {hasWholeRule(segment) && counted.data && (
                <div>
                  <Text size="sm" fw={600} mb="xs">
                    {texts.left}
                  </Text>
                  <SegmentFunnel of={counted} />
                </div>
              )}
            </Stack>
          </Panel>
          <SegmentSamplePanel value={settled} />
        </Stack>
        {saved && (
          <Stack className={classes.rest}>
            <SegmentSizes sizes={saved.sizes} />
            <SegmentUses saved={saved} />
          </Stack>
        )}
      </Box>
    </>
  )
}
