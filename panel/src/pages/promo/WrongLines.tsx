import { Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Mono } from '../../parts/Mono.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import classes from './FilePreview.module.css'
import type { FileLine } from './file/scan-codes.ts'

interface WrongLinesProps {
  count: number
  lines: FileLine[]
}

/** The lines of a file that are not codes, each with its number and the reason. */
export function WrongLines({ count, lines }: WrongLinesProps) {
  const { promo: texts } = useTexts()
  const format = useFormat()
  const title = texts.wrongTitle(count, format.number(count))
  return (
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap" className={classes.warning}>
        <IconAlertTriangle size={18} aria-hidden style={{ flex: 'none' }} />
        <Text size="sm" fw={600}>
          {title}
        </Text>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by the keyboard, too */}
      <section className={classes.wrong} tabIndex={0} aria-label={title}>
        <table className={classes.lines}>
          <thead>
            <tr>
              <th scope="col">{texts.line}</th>
              <th scope="col">{texts.reason}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ line, text, fault }) => (
              <tr key={line}>
                <td>{format.number(line)}</td>
                <td>
                  <span className={classes.text}>
                    <Mono>{text}</Mono>
                  </span>
                  <Text size="xs" c="dimmed">
                    {fault && texts.faults[fault]}
                  </Text>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {count > lines.length && <Text size="sm">{texts.wrongMore(format.number(count - lines.length))}</Text>}
    </Stack>
  )
}
