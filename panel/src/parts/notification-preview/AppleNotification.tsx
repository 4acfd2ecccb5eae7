import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import { AppIcon } from './AppIcon.tsx'
import classes from './AppleNotification.module.css'
import { Picture } from './Picture.tsx'
import type { PlatformProps } from './preview-props.ts'
import { imageOf } from './shown-notification.ts'
import { Tappable } from './Tappable.tsx'

const destructive = 2

/** iOS shows the app's own icon and writes in the direction of each text, whatever the notification says. */
export function AppleNotification({ notification, appName, icon, dir, expanded = false, ...props }: PlatformProps) {
  const { title, body, actions = [] } = notification
  const image = imageOf(notification)
  const Chevron = expanded ? IconChevronUp : IconChevronDown
  return (
    <div dir={dir} className={classes.whole}>
      {props.onDismiss && (
        <button type="button" className={classes.close} onClick={props.onDismiss} aria-label={props.dismissLabel}>
          <IconX size={13} />
        </button>
      )}
      <article className={classes.card} aria-label={props.label}>
        {expanded && <Picture src={image} className={classes.image} />}
        <Tappable className={classes.main} onTap={props.onTap}>
          <AppIcon name={appName} src={icon} className={classes.icon} />
          <span className={classes.words}>
            <span className={classes.head}>
              <span className={classes.title} data-expanded={expanded || undefined} dir="auto">
                {props.words(title)}
              </span>
              <span className={classes.when}>{props.when}</span>
            </span>
            <span className={classes.text} data-chevron={props.onToggle !== undefined || undefined}>
              <span className={classes.body} data-expanded={expanded || undefined} dir="auto">
                {props.words(body)}
              </span>
            </span>
          </span>
          {!expanded && <Picture src={image} className={classes.thumbnail} />}
        </Tappable>
        {props.onToggle && (
          <button
            type="button"
            className={classes.chevron}
            onClick={props.onToggle}
            aria-expanded={expanded}
            aria-label={props.toggleLabel}
          >
            <Chevron size={14} />
          </button>
        )}
      </article>
      {expanded && actions.length > 0 && (
        <div className={classes.actions}>
          {actions.map((action, index) => (
            <Tappable
              // biome-ignore lint/suspicious/noArrayIndexKey: buttons have no other order than their place
              key={index}
              className={`${classes.action} ${(action.options ?? 0) & destructive ? classes.destructive : ''}`}
              onTap={props.onAction && (() => props.onAction?.(action.id ?? ''))}
            >
              {props.words(action.title)}
            </Tappable>
          ))}
        </div>
      )}
    </div>
  )
}
