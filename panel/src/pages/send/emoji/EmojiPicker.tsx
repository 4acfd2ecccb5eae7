import { Center, Loader } from '@mantine/core'
import { IconMoodSmile } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Picker } from '#parts/fields/Picker.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'

/** The list comes with the first picker that is opened. */
const EmojiPanel = lazy(async () => {
  const { EmojiPanel } = await import('./EmojiPanel.tsx')
  return { default: EmojiPanel }
})

/** Inserts an emoji into a text. */
export function EmojiPicker({ label, onPick }: { label: string; onPick(sign: string): void }) {
  const { emoji: texts } = useTexts().send
  return (
    <Picker
      title={texts.title}
      label={texts.open(label)}
      icon={<IconMoodSmile size={17} />}
      width={328}
      padding={0}
      onPick={onPick}
    >
      {(pick) => (
        <Suspense
          fallback={
            <Center h={344}>
              <Loader size="sm" />
            </Center>
          }
        >
          <EmojiPanel onPick={pick} />
        </Suspense>
      )}
    </Picker>
  )
}
