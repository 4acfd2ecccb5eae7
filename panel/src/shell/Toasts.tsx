import { useMediaQuery } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'

/** In the middle of the header, where nothing can be pressed; on a phone below the page, which leaves room for them. */
export function Toasts() {
  const isWide = useMediaQuery('(min-width: 48em)', true)
  return <Notifications position={isWide ? 'top-center' : 'bottom-center'} limit={3} />
}
