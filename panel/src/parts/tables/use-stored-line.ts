import { useDirection } from '@mantine/core'

/** For a stored text that may be cut: cut at its own end, at the side where the page begins. */
export function useStoredLine(): { dir: 'auto'; ta: 'left' | 'right' } {
  const { dir } = useDirection()
  return { dir: 'auto', ta: dir === 'rtl' ? 'right' : 'left' }
}
