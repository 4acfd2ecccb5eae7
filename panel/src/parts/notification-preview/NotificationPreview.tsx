import { useTexts } from '../../texts/LanguageProvider.tsx'
import { AndroidNotification } from './AndroidNotification.tsx'
import { AppleNotification } from './AppleNotification.tsx'
import { BrowserNotification } from './BrowserNotification.tsx'
import type { NotificationPreviewProps } from './preview-props.ts'

const drawers = { android: AndroidNotification, ios: AppleNotification, web: BrowserNotification }

/** A notification as the platform draws it. */
export function NotificationPreview({ platform, when, ...props }: NotificationPreviewProps) {
  const { preview } = useTexts().send
  const Drawer = drawers[platform]
  return (
    <Drawer
      {...props}
      when={when ?? preview.now}
      label={preview.label}
      toggleLabel={props.expanded ? preview.collapse : preview.expand}
      dismissLabel={preview.dismiss}
    />
  )
}
