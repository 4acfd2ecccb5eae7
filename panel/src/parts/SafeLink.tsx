import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A link that somebody stored: only to the web, and to nothing that could run here. */
export function SafeLink({ href, children }: { href: string; children?: ReactNode }) {
  if (!/^https?:\/\//i.test(href)) return <Text span>{children ?? href}</Text>
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children ?? href}
    </Anchor>
  )
}
