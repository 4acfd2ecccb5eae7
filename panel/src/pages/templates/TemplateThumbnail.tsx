import { Text } from '@mantine/core'
import type { TemplateMessage } from '@peyk/contract'
import { useApp } from '../../api/use-app.ts'
import { NotificationPreview } from '../../parts/notification-preview/NotificationPreview.tsx'
import { drawnNotification, type SentTexts } from '../../parts/notification-preview/shown-notification.ts'
import { TemplateText } from '../../parts/template-text/TemplateText.tsx'
import classes from './TemplateThumbnail.module.css'

/** The notification in small, or the text where none is shown. It is a picture: nothing in it can be pressed. */
export function TemplateThumbnail({ message }: { message: TemplateMessage }) {
  const { name } = useApp()
  const hasNone = message.silent || (message.inApp && message.content !== undefined)
  return (
    <div className={classes.screen} aria-hidden inert>
      <div className={classes.small}>
        {hasNone ? (
          <Text className={classes.bubble} dir="auto" lineClamp={6}>
            <TemplateText>{message.content ?? ''}</TemplateText>
          </Text>
        ) : (
          <NotificationPreview
            notification={drawnNotification(message as SentTexts, { name })}
            platform="android"
            appName={name}
            expanded
            marksVariables
          />
        )}
      </div>
    </div>
  )
}
