import { useTexts } from '../../texts/LanguageProvider.tsx'
import { TemplateText } from '../template-text/TemplateText.tsx'
import { AndroidNotification } from './AndroidNotification.tsx'
import { AppleNotification } from './AppleNotification.tsx'
import { BrowserNotification } from './BrowserNotification.tsx'
import type { NotificationPreviewProps } from './preview-props.ts'

const drawers = { android: AndroidNotification, ios: AppleNotification, web: BrowserNotification }

/** A notification as the platform draws it. */
export function NotificationPreview({ platform, when, marksVariables = false, ...props }: NotificationPreviewProps) {
  const { preview } = useTexts().send
  const Drawer = drawers[platform]
  return (
    <Drawer
      {...props}
      words={(text) => (marksVariables ? <TemplateText>{text ?? ''}</TemplateText> : text)}
      when={when ?? preview.now}
      label={preview.label}
      toggleLabel={props.expanded ? preview.collapse : preview.expand}
      dismissLabel={preview.dismiss}
    />
  )
}
