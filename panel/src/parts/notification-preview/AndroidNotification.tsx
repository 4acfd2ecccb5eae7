import { IconBellFilled, IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import classes from './AndroidNotification.module.css'
import { Picture } from './Picture.tsx'
import type { PlatformProps } from './preview-props.ts'
import { accentOf, directionOf, imageOf, pictureUrl } from './shown-notification.ts'
import { Tappable } from './Tappable.tsx'

export function AndroidNotification({ notification, appName, icon, dir, expanded = false, ...props }: PlatformProps) {
  const { title, body, actions = [], color, largeIcon } = notification
  const image = imageOf(notification)
  const large = pictureUrl(notification.icon) ?? pictureUrl(largeIcon) ?? pictureUrl(icon)
  const Chevron = expanded ? IconChevronUp : IconChevronDown
  const accent = accentOf(color)
  const direction = directionOf(notification.dir ?? dir)
  return (
    <article className={classes.card} aria-label={props.label} dir={direction === 'auto' ? dir : direction}>
      <Tappable className={classes.main} onTap={props.onTap}>
        <span className={classes.badge} {...(accent && { style: { background: accent } })} aria-hidden>
          <IconBellFilled size={13} />
        </span>
        <span className={classes.words}>
          <span className={classes.head} data-closable={props.onDismiss !== undefined || undefined}>
            <span className={classes.app} dir="auto">
              {appName}
            </span>
            <span aria-hidden>·</span>
            <span>{props.when}</span>
          </span>
          <span className={classes.title} dir="auto">
            {props.words(title)}
          </span>
          <span className={classes.body} data-expanded={expanded || undefined} dir="auto">
            {props.words(body)}
          </span>
        </span>
        <Picture src={expanded ? large : (image ?? large)} className={classes.large} />
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
            <Chevron size={16} />
          </button>
        )}
        {props.onDismiss && (
          <button type="button" className={classes.small} onClick={props.onDismiss} aria-label={props.dismissLabel}>
            <IconX size={14} />
          </button>
        )}
      </div>
      {expanded && <Picture src={image} className={classes.image} />}
      {expanded && actions.length > 0 && (
        <div className={classes.actions}>
          {actions.slice(0, 3).map((action, index) => (
            <Tappable
              // biome-ignore lint/suspicious/noArrayIndexKey: buttons have no other order than their place
              key={index}
              className={classes.action}
              {...(accent && { style: { color: accent } })}
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
