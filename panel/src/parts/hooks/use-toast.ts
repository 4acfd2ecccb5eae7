import { notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useFaultText } from '../Fault.tsx'

/** Short words at the edge: what was done, or why it was not. */
export function useToast(): { done(message: string): void; failed(error: unknown): void } {
  const { faults, common } = useTexts()
  const say = useFaultText()
  return useMemo(() => {
    const closeButtonProps = { 'aria-label': common.close }
    return {
      done: (message) => notifications.show({ message, color: 'green', autoClose: 4000, closeButtonProps }),
      failed: (error) =>
        notifications.show({
          title: faults.title,
          message: say(error),
          color: 'red',
          autoClose: 10_000,
          closeButtonProps,
        }),
    }
  }, [faults, common, say])
}
