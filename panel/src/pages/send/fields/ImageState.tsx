import { ActionIcon, Group, Progress, Text } from '@mantine/core'
import { IconAlertTriangle, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useFaultText } from '#parts/Fault.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import classes from './ImageField.module.css'
import { sayImageWarning } from './say-image-warning.ts'
import { useTriedImage } from './use-image-reach.ts'
import type { ImageUploadState } from './use-image-upload.ts'

interface ImageStateProps {
  label: string
  url: string
  upload: ImageUploadState
  onStop(): void
  onClear(): void
}

/** What there is of an image: its upload, the image itself with its size, and what keeps phones from loading it. */
export function ImageState({ label, url, upload, onStop, onClear }: ImageStateProps) {
  const all = useTexts()
  const { images: texts } = all
  const format = useFormat()
  const tried = useTriedImage(url)
  const warning = sayImageWarning(tried, url, all)
  if (upload.step === 'sending') {
    return (
      <Group gap="xs" mt={6} wrap="nowrap">
        <Progress value={upload.share * 100} flex={1} aria-label={texts.uploading} />
        <Clear label={texts.stop} onClick={onStop} />
      </Group>
    )
  }
  const { width = 0, height = 0 } = tried.size ?? {}
  const size = texts.size(format.number(width), format.number(height))
  const bytes = upload.step === 'done' && upload.image.url === url ? upload.image.bytes : undefined
  return (
    <>
      <UploadFault state={upload} />
      {tried.size && (
        <Group gap="xs" mt={6} wrap="nowrap">
          <img src={url} alt="" className={classes.thumbnail} referrerPolicy="no-referrer" />
          <Text size="xs" c="dimmed" flex={1} role="status">
            {bytes === undefined ? size : texts.sizeAndBytes(size, format.bytes(bytes))}
          </Text>
          <Clear label={texts.remove(label)} onClick={onClear} />
        </Group>
      )}
      {warning !== undefined && <Note>{warning}</Note>}
    </>
  )
}

function UploadFault({ state }: { state: ImageUploadState }) {
  const { images: texts } = useTexts()
  const format = useFormat()
  const say = useFaultText()
  if (state.step !== 'refused' && state.step !== 'failed') return null
  const text = state.step === 'failed' ? say(state.error) : texts.refused[state.problem](format.bytes(state.bytes))
  return (
    <Text size="xs" c="red" mt={4} role="alert">
      {text}
    </Text>
  )
}

function Note({ children }: { children: ReactNode }) {
  return (
    <Text size="xs" mt={4} role="status" className={classes.note}>
      <IconAlertTriangle size={14} aria-hidden />
      <span>{children}</span>
    </Text>
  )
}

function Clear({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <ActionIcon variant="subtle" color="gray" onClick={onClick} aria-label={label}>
      <IconX size={15} />
    </ActionIcon>
  )
}
