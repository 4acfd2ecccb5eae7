import { useTexts } from '../../texts/LanguageProvider.tsx'
import { AndroidNotification } from './AndroidNotification.tsx'
import { AppleNotification } from './AppleNotification.tsx'
import { BrowserNotification } from './BrowserNotification.tsx'
import type { DrawnNotification } from './shown-notification.ts'

export type PreviewPlatform = 'android' | 'ios' | 'web'

interface NotificationPreviewProps {
  notification: DrawnNotification
  platform: PreviewPlatform
  appName: string
  /** The app's own icon, where the notification has none. */
  icon?: string | undefined
  /** Where the notification itself says nothing. */
  dir?: 'ltr' | 'rtl' | undefined
  /** As it looks when it was pulled open: image and buttons. */
  expanded?: boolean
  onToggle?: (() => void) | undefined
  /** When it arrived; "now" unless given. */
  when?: string
  onTap?: (() => void) | undefined
  onAction?: ((id: string) => void) | undefined
  onDismiss?: (() => void) | undefined
}

export interface PlatformProps extends Omit<NotificationPreviewProps, 'platform' | 'when'> {
  when: string
  label: string
  toggleLabel: string
  dismissLabel: string
}

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
