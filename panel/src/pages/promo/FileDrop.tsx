import { Button, Stack, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import classes from './FileDrop.module.css'

interface FileDropProps {
  onFile(file: File): void
  onChoose(): void
  takesFocus: boolean
}

/** Takes a file that is dropped on it, or chosen. Where somebody asked for it, it comes into view and takes the focus. */
export function FileDrop({ onFile, onChoose, takesFocus }: FileDropProps) {
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
        <Button variant="default" size="xs" mt={4} ref={button} onClick={onChoose}>
          {texts.choose}
        </Button>
      </Stack>
    </div>
  )
}
