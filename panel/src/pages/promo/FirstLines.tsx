import { Text } from '@mantine/core'
import { Mono } from '../../parts/Mono.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import classes from './FilePreview.module.css'
import type { FileLine } from './file/scan-codes.ts'

const shownLines = 5

interface FirstLinesProps {
  first: FileLine
  next: FileLine[]
  hasHeader: boolean
}

/** The first lines of a file, and what is made of each. */
export function FirstLines({ first, next, hasHeader }: FirstLinesProps) {
  const { promo: texts } = useTexts()
  const format = useFormat()
  const lines = [first, ...next].slice(0, shownLines)
  return (
    <table className={classes.lines} aria-label={texts.firstLines}>
      <thead>
        <tr>
          <th scope="col">{texts.line}</th>
          <th scope="col">{texts.firstLines}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => {
          const isHeader = hasHeader && line === first
          const note = isHeader ? texts.isHeader : line.fault && texts.faults[line.fault]
          return (
            <tr key={line.line} data-out={isHeader || line.fault !== undefined || undefined}>
              <td>{format.number(line.line)}</td>
              <td>
                <span className={classes.text}>
                  <Mono>{line.text}</Mono>
                </span>{' '}
                {note !== undefined && (
                  <Text span size="xs" c="dimmed">
                    {note}
                  </Text>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
