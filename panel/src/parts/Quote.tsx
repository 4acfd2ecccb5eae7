import { Text } from '@mantine/core'

/** The words of somebody else, a provider or a server, as they came: in English, whichever way the page runs. */
export function Quote({ children }: { children: string }) {
  return (
    <Text span inherit component="q" lang="en" dir="auto">
      {children}
    </Text>
  )
}
