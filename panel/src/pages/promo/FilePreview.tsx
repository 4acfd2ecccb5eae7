import { Alert, Button, Group, Radio, Select, Stack, Switch, Text } from '@mantine/core'
import type { PromoSet } from '@peyk/contract'
import { IconFileAlert, IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { FactList } from '../messages/detail/FactList.tsx'
import classes from './FilePreview.module.css'
import { FirstLines } from './FirstLines.tsx'
import { countCodes } from './file/count-codes.ts'
import { looksLikeHeader } from './file/find-header.ts'
import type { CodeFile } from './file/read-code-file.ts'
import type { ScannedFile } from './file/scan-codes.ts'
import type { UploadOptions } from './upload.ts'
import { WrongLines } from './WrongLines.tsx'

interface FilePreviewProps {
  file: File
  read: CodeFile
  set: PromoSet | undefined
  /** Of a CSV: the codes are in another column. */
  onColumn(column: number): void
  onSend(options: UploadOptions): void
  onCancel(): void
  /** Chooses another file. */
  onAnother(): void
}

/** What a file holds and what will be done with it, before anything is stored. */
export function FilePreview({ file, read, set, onColumn, onSend, onCancel, onAnother }: FilePreviewProps) {
  const { scanned, columns, empty } = read
  const { promo: texts, common } = useTexts()
  const format = useFormat()
  const [hasHeader, setHasHeader] = useState(() => looksLikeHeader(scanned))
  const [mode, setMode] = useState<UploadOptions['mode']>(set === undefined ? 'replace' : 'add')
  const { codes, repeated, wrong, wrongLines } = countCodes(scanned, hasHeader)
  const isHopeless = codes === 0
  const say = set !== undefined && mode === 'replace' ? texts.replaceWith : texts.addCodes
  const does = say(codes, format.number(codes))
  const send = () => onSend({ mode, hasHeader, leaveOutBadLines: wrong > 0 })
  return (
    <Stack component="section" gap="md" className={classes.preview} aria-label={texts.preview(file.name)}>
      <Group gap="xs" wrap="nowrap">
        <IconFileText size={20} stroke={1.5} aria-hidden style={{ flex: 'none' }} />
        <Text fw={600} truncate dir="auto">
          {file.name}
        </Text>
        <Text size="sm" c="dimmed" style={{ flex: 'none' }}>
          {format.bytes(file.size)}
        </Text>
      </Group>
      {columns !== undefined && columns.columns.length > 1 && (
        <Select
          label={texts.column}
          description={texts.columnHint}
          data={columns.columns.map(([head = '', example = ''], index) => ({
            value: String(index),
            label: texts.columnName(format.number(index + 1), [head, example].filter(Boolean).join(', ')),
          }))}
          value={String(columns.chosen)}
          onChange={(column) => onColumn(Number(column))}
          allowDeselect={false}
          maw={420}
        />
      )}
      {scanned.first !== undefined && scanned.format === 'text' && (
        <>
          <FirstLines first={scanned.first} next={scanned.next} hasHeader={hasHeader} />
          <Switch
            label={texts.header}
            description={headerNote(texts, scanned.first, hasHeader)}
            checked={hasHeader}
            onChange={({ currentTarget }) => setHasHeader(currentTarget.checked)}
          />
          <FactList
            facts={[
              [texts.codesInFile, format.number(codes)],
              [texts.duplicates, format.number(repeated)],
              [texts.wrongCount, format.number(wrong)],
              ...(empty > 0 ? [[texts.emptyCount, format.number(empty)] as [string, string]] : []),
            ]}
          />
        </>
      )}
      {wrong > 0 && scanned.format === 'text' && <WrongLines count={wrong} lines={wrongLines} />}
      {isHopeless && (
        <Alert color="red" variant="light" icon={<IconFileAlert />} title={texts.noCodesInFile} role="alert">
          {texts.noCodesWhy[scanned.format]}
        </Alert>
      )}
      {set !== undefined && !isHopeless && (
        <Radio.Group label={texts.modeTitle} value={mode} onChange={(value) => setMode(value as UploadOptions['mode'])}>
          <Stack gap="xs" mt="xs">
            <Radio
              value="add"
              label={texts.modeAdd(set.codes, format.number(set.codes))}
              description={texts.modeAddHint}
            />
            <Radio
              value="replace"
              label={texts.modeReplace}
              description={texts.modeReplaceHint(set.left, format.number(set.left))}
            />
          </Stack>
        </Radio.Group>
      )}
      <Group gap="xs">
        {!isHopeless && (
          <Button onClick={send}>{wrong > 0 ? texts.leavingOut(does, wrong, format.number(wrong)) : does}</Button>
        )}
        {(isHopeless || wrong > 0) && (
          <Button variant="default" onClick={onAnother}>
            {texts.another}
          </Button>
        )}
        {!isHopeless && (
          <Button variant="default" onClick={onCancel}>
            {common.cancel}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

type Texts = ReturnType<typeof useTexts>['promo']

function headerNote(texts: Texts, first: NonNullable<ScannedFile['first']>, hasHeader: boolean): string {
  if (hasHeader) return texts.headerOut(first.text)
  return first.fault === undefined ? texts.headerIn(first.text) : texts.headerWrong(first.text)
}
