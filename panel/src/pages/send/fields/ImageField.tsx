import { Button, FileButton } from '@mantine/core'
import { type ClipboardEvent, type DragEvent, useState } from 'react'
import { imageOf } from '#parts/notification-preview/shown-notification.ts'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { useSending } from '../sending.ts'
import classes from './ImageField.module.css'
import { ImageState } from './ImageState.tsx'
import { TextField } from './TextField.tsx'
import { imageTypes, useImageUpload } from './use-image-upload.ts'

export type ImageName = 'mediaUrl' | 'icon' | 'largeIcon' | 'chromeBadge'

/** The address of an image of the notification. A file is uploaded by the button, dropped on the field, or pasted into it. */
export function ImageField({ name }: { name: ImageName }) {
  const { send: texts, images } = useTexts()
  const { draft, changeNotification } = useSending()
  const [isOver, setIsOver] = useState(false)
  const { notification } = draft
  const value = notification[name]
  const change = (url: string) => changeNotification({ [name]: url })
  const { state, send, forget } = useImageUpload(change)
  const label = texts.fields[name]
  // Media may be a film.
  const shown = name === 'mediaUrl' ? (imageOf(notification) ?? '') : value

  const drop = (event: DragEvent) => {
    setIsOver(false)
    const file = event.dataTransfer.files[0]
    if (!file) return
    event.preventDefault()
    void send(file)
  }
  const paste = (event: ClipboardEvent) => {
    const file = event.clipboardData.files[0]
    if (!file) return
    event.preventDefault()
    void send(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same
    <div
      className={classes.field}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <TextField
        field={`notification.${name}`}
        label={label}
        hint={texts.fields[`${name}Hint`]}
        isCode
        value={value}
        onChange={(typed) => {
          forget()
          change(typed)
        }}
        onPaste={paste}
        button={
          <FileButton accept={imageTypes.join(',')} onChange={(file) => file && void send(file)}>
            {(props) => (
              <Button
                {...props}
                variant="default"
                size="compact-xs"
                loading={state.step === 'sending'}
                aria-label={images.uploadFor(label)}
              >
                {images.upload}
              </Button>
            )}
          </FileButton>
        }
      />
      <ImageState label={label} url={shown} upload={state} onStop={forget} onClear={() => change('')} />
    </div>
  )
}
