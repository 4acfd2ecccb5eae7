import { Button, FileButton, Stack, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import classes from './FileDrop.module.css'

/** Takes a file that is dropped on it, or chosen. Where somebody asked for it, it comes into view and takes the focus. */
export function FileDrop({ onFile, takesFocus }: { onFile: (file: File) => void; takesFocus: boolean }) {
  const { promo: texts } = useTexts()
  const [isOver, setIsOver] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (takesFocus) button.current?.focus()
  }, [takesFocus])
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    const file = event.dataTransfer.files[0]
    if (file) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Stack align="center" gap="xs">
        <IconFileUpload size={28} stroke={1.5} aria-hidden />
        <Text size="sm" fw={600}>
          {texts.drop}
        </Text>
        <Text size="xs" c="dimmed" ta="center" maw={380}>
          {texts.dropHint}
        </Text>
        <FileButton accept=".csv,.txt,text/csv,text/plain" onChange={(file) => file && onFile(file)}>
          {(props) => (
            <Button {...props} variant="default" size="xs" mt={4} ref={button}>
              {texts.choose}
            </Button>
          )}
        </FileButton>
      </Stack>
    </div>
  )
}
