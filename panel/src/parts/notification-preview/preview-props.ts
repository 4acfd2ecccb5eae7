import type { ReactNode } from 'react'
import type { DrawnNotification } from './shown-notification.ts'

export type PreviewPlatform = 'android' | 'ios' | 'web'

export interface NotificationPreviewProps {
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
  /** Its texts are as they were written: variables are marked by their names. */
  marksVariables?: boolean
  /** When it arrived; "now" unless given. */
  when?: string
  onTap?: (() => void) | undefined
  onAction?: ((id: string) => void) | undefined
  onDismiss?: (() => void) | undefined
}

export interface PlatformProps extends Omit<NotificationPreviewProps, 'platform' | 'when' | 'marksVariables'> {
  words(text: string | undefined): ReactNode
  when: string
  label: string
  toggleLabel: string
  dismissLabel: string
}
