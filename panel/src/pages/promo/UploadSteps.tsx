import { Alert, Button, Group, List, Progress, Stack, Text } from '@mantine/core'
import { IconCheck, IconFileAlert } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { ApiFault } from '../../api/call.ts'
import { Fault, FaultWords } from '../../parts/Fault.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { FileTooLarge } from './file/read-code-file.ts'
import type { UploadReport as Report } from './upload.ts'
import type { UploadState } from './use-upload.ts'

type Sending = Extract<UploadState, { step: 'sending' }>

interface FileProgressProps {
  label: string
  share: number
  /** What the button says. */
  stop: string
  onStop(): void
  /** Nothing moves, but something is done. */
  isBusy?: boolean
  children?: ReactNode
}

/** How far a file has been read or sent. */
export function FileProgress({ label, share, stop, onStop, isBusy = false, children }: FileProgressProps) {
  return (
    <Stack gap="xs" role="status">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600} truncate>
          {label}
        </Text>
        <Button size="compact-sm" variant="subtle" onClick={onStop} style={{ flexShrink: 0 }}>
          {stop}
        </Button>
      </Group>
      <Progress.Root size="md">
        <Progress.Section value={share * 100} animated={isBusy} striped={isBusy} aria-label={label} />
      </Progress.Root>
      {children}
    </Stack>
  )
}

export function UploadProgress({ upload, onStop }: { upload: Sending; onStop: () => void }) {
  const { promo: texts } = useTexts()
  const format = useFormat()
  const { name, size, share } = upload
  const isStoring = share === 1
  return (
    <FileProgress label={texts.sending(name)} share={share} stop={texts.stop} onStop={onStop} isBusy={isStoring}>
      <Text size="xs" c="dimmed">
        {isStoring ? texts.storing : texts.sentOf(format.bytes(size * share), format.bytes(size))}
      </Text>
    </FileProgress>
  )
}

export function UploadReport({ report }: { report: Report }) {
  const { promo: texts } = useTexts()
  const format = useFormat()
  const { totalRows, duplicates, alreadyUsed, alreadyThere = 0, leftOut = 0 } = report
  const say = (text: (count: number, shown: string) => string, count: number) => text(count, format.number(count))
  const shown = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Not returned: browsers that answer with a promise would have it called when the page is left.
    shown.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <Alert
      ref={shown}
      color="green"
      variant="light"
      icon={<IconCheck />}
      title={report.alreadyThere === undefined ? texts.report : texts.reportAdded}
      role="status"
    >
      <List size="sm">
        <List.Item>{say(texts.reportRows, totalRows)}</List.Item>
        {duplicates > 0 && <List.Item>{say(texts.reportDuplicates, duplicates)}</List.Item>}
        {leftOut > 0 && <List.Item>{say(texts.reportLeftOut, leftOut)}</List.Item>}
        {alreadyThere > 0 && <List.Item>{say(texts.reportThere, alreadyThere)}</List.Item>}
        {alreadyUsed > 0 && <List.Item>{say(texts.reportUsed, alreadyUsed)}</List.Item>}
        <List.Item>
          <strong>{say(texts.reportReady, totalRows - duplicates - alreadyThere - alreadyUsed)}</strong>
        </List.Item>
      </List>
    </Alert>
  )
}

export function UploadTrouble({ error }: { error: unknown }) {
  const { promo: texts } = useTexts()
  const isTooLarge = error instanceof FileTooLarge || (error instanceof ApiFault && error.status === 413)
  if (!isTooLarge && !(error instanceof ApiFault && error.status < 500)) return <Fault error={error} />
  return (
    <Alert color="red" variant="light" icon={<IconFileAlert />} title={texts.wrongFile} role="alert">
      {isTooLarge ? <Text size="sm">{texts.tooLarge}</Text> : <FaultWords error={error as ApiFault} />}
    </Alert>
  )
}
