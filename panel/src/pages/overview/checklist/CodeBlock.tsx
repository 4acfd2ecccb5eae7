import { Button, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useCopy } from '#parts/copy/use-copy.ts'
import { Scrollable } from '#parts/tables/Scrollable.tsx'
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
  const { copy, isCopied, label: copyLabel } = useCopy()
  const Sign = isCopied ? IconCheck : IconCopy
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
          onClick={({ currentTarget }) => {
            void copy(code, currentTarget)
            onCopied()
          }}
        >
          {copyLabel}
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
