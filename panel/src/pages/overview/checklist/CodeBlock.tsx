import { Button, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { Scrollable } from '../../../parts/tables/Scrollable.tsx'
import { useTexts } from '../../../texts/LanguageProvider.tsx'
import classes from './CodeBlock.module.css'
import { splitCode } from './split-code.ts'

interface CodeBlockProps {
  /** The language that it is written in. */
  label: string
  code: string
  /** By the button, or as any text is copied. */
  onCopied(): void
}

export function CodeBlock({ label, code, onCopied }: CodeBlockProps) {
  const { common } = useTexts()
  const clipboard = useClipboard({ timeout: 1500 })
  const Sign = clipboard.copied ? IconCheck : IconCopy
  return (
    <div className={classes.block} dir="ltr" onCopy={onCopied}>
      <div className={classes.head}>
        <Text size="xs" c="dimmed">
          {label}
        </Text>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Sign size={15} aria-hidden />}
          onClick={() => {
            clipboard.copy(code)
            onCopied()
          }}
        >
          {clipboard.copied ? common.copied : common.copy}
        </Button>
      </div>
      <Scrollable label={label}>
        <pre className={classes.code} lang="en">
          <code>
            {splitCode(code).map(({ text, kind }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order
              <span key={index} data-kind={kind}>
                {text}
              </span>
            ))}
          </code>
        </pre>
      </Scrollable>
    </div>
  )
}
