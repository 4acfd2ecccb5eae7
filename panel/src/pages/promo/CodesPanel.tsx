import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { PromoSet } from '@peyk/contract'
import { IconAlertTriangle, IconTicket, IconUpload } from '@tabler/icons-react'
import { type ChangeEvent, type ReactNode, useRef, useState } from 'react'
import { useApp } from '../../api/use-app.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { FactList } from '../messages/detail/FactList.tsx'
import { FileDrop } from './FileDrop.tsx'
import { FilePreview } from './FilePreview.tsx'
import { FileProgress, UploadProgress, UploadReport, UploadTrouble } from './UploadSteps.tsx'
import { UsageBar } from './UsageBar.tsx'
import { useUpload } from './use-upload.ts'

interface CodesPanelProps {
  title: string
  lead: string
  noneTitle: string
  noneText: ReactNode
  set: PromoSet | undefined
  uploadPath: string
}

/** One set of codes: how many are left, and a way to put others in its place or beside them. */
export function CodesPanel({ title, lead, noneTitle, noneText, set, uploadPath }: CodesPanelProps) {
  const { promo: texts, common } = useTexts()
  const { may } = useApp()
  const [isAsked, setIsAsked] = useState(false)
  const { state, read, send, stop, reset } = useUpload(uploadPath, set)
  const isIdle = state.step === 'idle' || state.step === 'failed'
  const isWanted = set === undefined || isAsked || state.step === 'failed'
  const showsDrop = may('edit-campaigns') && isWanted && isIdle
  const chooser = useRef<HTMLInputElement>(null)
  const choose = () => chooser.current?.click()
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0]
    if (file) void read(file)
    // The same file, mended, can be chosen again.
    currentTarget.value = ''
  }
  const again = () => {
    reset()
    setIsAsked(true)
    choose()
  }
  return (
    <Panel
      title={title}
      lead={lead}
      actions={
        may('edit-campaigns') &&
        set !== undefined &&
        !showsDrop &&
        (isIdle || state.step === 'done') && (
          <Button size="xs" variant="default" leftSection={<IconUpload size={14} />} onClick={again}>
            {texts.upload}
          </Button>
        )
      }
    >
      <Stack>
        {state.step === 'done' && <UploadReport report={state.report} />}
        {set !== undefined ? (
          <SetFacts set={set} />
        ) : (
          isIdle && (
            <EmptyState
              icon={IconTicket}
              title={noneTitle}
              text={
                <>
                  {may('edit-campaigns') && texts.uploadHint} {noneText}
                </>
              }
            />
          )
        )}
        {state.step === 'failed' && <UploadTrouble error={state.error} />}
        {state.step === 'reading' && (
          <FileProgress label={texts.reading(state.name)} share={state.share} stop={common.cancel} onStop={reset} />
        )}
        {state.step === 'read' && (
          <FilePreview
            key={state.read.columns?.chosen}
            file={state.file}
            read={state.read}
            set={set}
            onColumn={(column) => void read(state.file, column)}
            onSend={(options) => void send(state.read.codes, state.file.name, options)}
            onCancel={reset}
            onAnother={choose}
          />
        )}
        {state.step === 'sending' && <UploadProgress upload={state} onStop={stop} />}
        {showsDrop && <FileDrop onFile={(file) => void read(file)} onChoose={choose} takesFocus={isAsked} />}
        {may('edit-campaigns') && (
          <input ref={chooser} type="file" accept=".csv,.txt,text/csv,text/plain" hidden onChange={take} />
        )}
      </Stack>
    </Panel>
  )
}

function SetFacts({ set }: { set: PromoSet }) {
  const { promo: texts } = useTexts()
  const format = useFormat()
  return (
    <Stack gap="sm">
      {set.isLow && (
        <Alert
          color={set.left === 0 ? 'red' : 'orange'}
          variant="light"
          icon={<IconAlertTriangle />}
          title={set.left === 0 ? texts.out : texts.low}
        >
          {set.left === 0 ? texts.outText : texts.lowText(format.number(set.left))}
        </Alert>
      )}
      <Group align="baseline" gap="xs">
        <Text fz={28} fw={650} lh={1.2}>
          {format.number(set.left)}
        </Text>
        <Text c="dimmed">{texts.left}</Text>
      </Group>
      <UsageBar set={set} />
      <FactList
        facts={[
          [texts.given, format.number(set.given)],
          [texts.total, format.number(set.codes)],
          [texts.rows, format.number(set.totalRows)],
          [texts.duplicates, format.number(set.duplicates)],
          [texts.alreadyUsed, format.number(set.alreadyUsed)],
          [texts.uploaded, format.moment(set.uploadedAt)],
        ]}
      />
      <Text size="xs" c="dimmed">
        {texts.lowLine(format.number(set.lowBelow))}
      </Text>
    </Stack>
  )
}
