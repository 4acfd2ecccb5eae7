import { ActionIcon, Center, Loader, Popover, Tooltip } from '@mantine/core'
import { IconMoodSmile } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../../texts/LanguageProvider.tsx'

/** The list comes with the first picker that is opened. */
const EmojiPanel = lazy(async () => {
  const { EmojiPanel } = await import('./EmojiPanel.tsx')
  return { default: EmojiPanel }
})

/** Inserts an emoji into a text. */
export function EmojiPicker({ label, onPick }: { label: string; onPick(sign: string): void }) {
  const { emoji: texts } = useTexts().send
  const [isOpen, setIsOpen] = useState(false)
  const pick = (sign: string) => {
    setIsOpen(false)
    onPick(sign)
  }
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" width={328} shadow="md" trapFocus withinPortal>
      <Popover.Target>
        <Tooltip label={texts.title} disabled={isOpen}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={texts.open(label)}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <IconMoodSmile size={17} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        {isOpen && (
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
      </Popover.Dropdown>
    </Popover>
  )
}
