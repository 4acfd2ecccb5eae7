import { Stack, Text } from '@mantine/core'
import { Mono } from '../../parts/Mono.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { type LinkedTexts, linksIn } from './links-in.ts'

/** Every address that the message opens or loads, in all its languages and variants. */
export function MessageLinks({ message }: { message: LinkedTexts }) {
  const { approvals: texts } = useTexts()
  const links = linksIn(message)
  if (links.length === 0) return null
  return (
    <Panel title={texts.links}>
      <Stack gap="xs">
        {links.map(({ kind, title, url }) => (
          <Stack key={`${kind} ${title} ${url}`} gap={0}>
            <Text size="xs" c="dimmed">
              {kind === 'button' ? texts.link.button(title ?? '') : texts.link[kind]}
            </Text>
            <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
              <Mono>{url}</Mono>
            </Text>
          </Stack>
        ))}
      </Stack>
    </Panel>
  )
}
