import { notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useFaultText } from '../Fault.tsx'
import { pageToasts } from './page-toasts.ts'

interface Toast {
  /** `isOfNextPage`: the page is left at the same moment, and it is read on the next one. */
  done(message: string, options?: { isOfNextPage?: boolean }): void
  failed(error: unknown): void
  /** What was not done, and why: nothing went wrong. */
  refused(message: string): void
}

/** Short words at the edge: what was done, or why it was not. */
export function useToast(): Toast {
  const { faults, common } = useTexts()
  const say = useFaultText()
  return useMemo(() => {
    const closeButtonProps = { 'aria-label': common.close }
    return {
      done: (message, options) =>
        pageToasts.add(notifications.show({ message, color: 'green', autoClose: 4000, closeButtonProps }), options),
      refused: (message) =>
        pageToasts.add(notifications.show({ message, color: 'orange', autoClose: 6000, closeButtonProps })),
      failed: (error) =>
        pageToasts.add(
          notifications.show({
            title: faults.title,
            message: say(error),
            color: 'red',
            autoClose: 10_000,
            closeButtonProps,
          }),
        ),
    }
  }, [faults, common, say])
}
