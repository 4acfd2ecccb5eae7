import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import { AppIcon } from './AppIcon.tsx'
import classes from './BrowserNotification.module.css'
import { Picture } from './Picture.tsx'
import type { PlatformProps } from './preview-props.ts'
import { directionOf, imageOf } from './shown-notification.ts'
import { Tappable } from './Tappable.tsx'

/** As a browser on a desktop draws it: two buttons at most. */
export function BrowserNotification({ notification, appName, icon, dir, expanded = false, ...props }: PlatformProps) {
  const { title, body, actions = [] } = notification
  const image = imageOf(notification)
  const Chevron = expanded ? IconChevronUp : IconChevronDown
  const direction = directionOf(notification.dir ?? dir)
  return (
    <article className={classes.card} aria-label={props.label} dir={direction === 'auto' ? dir : direction}>
      <Tappable className={classes.main} onTap={props.onTap}>
        <AppIcon name={appName} src={notification.icon ?? notification.largeIcon ?? icon} className={classes.icon} />
        <span className={classes.words}>
          <span className={classes.head}>
            <span className={classes.title} data-expanded={expanded || undefined} dir="auto">
              {props.words(title)}
            </span>
          </span>
          <span className={classes.body} data-expanded={expanded || undefined} dir="auto">
            {props.words(body)}
          </span>
          <span className={classes.origin}>
            {appName} · {props.when}
          </span>
        </span>
      </Tappable>
      <div className={classes.corner}>
        {props.onToggle && (
          <button
            type="button"
            className={classes.small}
            onClick={props.onToggle}
            aria-expanded={expanded}
            aria-label={props.toggleLabel}
          >
            <Chevron size={15} />
          </button>
        )}
        {props.onDismiss ? (
          <button type="button" className={classes.small} onClick={props.onDismiss} aria-label={props.dismissLabel}>
            <IconX size={15} />
          </button>
        ) : (
          <IconX size={15} aria-hidden />
        )}
      </div>
      {expanded && <Picture src={image} className={classes.image} />}
      {expanded && actions.length > 0 && (
        <div className={classes.actions}>
          {actions.slice(0, 2).map((action, index) => (
            <Tappable
              // biome-ignore lint/suspicious/noArrayIndexKey: buttons have no other order than their place
              key={index}
              className={classes.action}
              onTap={props.onAction && (() => props.onAction?.(action.id ?? ''))}
            >
              {props.words(action.title)}
            </Tappable>
          ))}
        </div>
      )}
    </article>
  )
}
