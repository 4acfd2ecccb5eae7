import { Text } from '@mantine/core'
import type { Phone } from '@peyk/contract'
import { IconBellOff, IconPlaneTilt, IconTrash, IconWifi } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../../api/use-app.ts'
import { AppLink } from '../../parts/AppLink.tsx'
import { NotificationPreview } from '../../parts/notification-preview/NotificationPreview.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import classes from './PhoneScreen.module.css'
import type { PhoneUse } from './queries.ts'

const minuteMs = 60_000
const shownAtMost = 5

/** The glass of a phone: the lock screen with its notifications, or the app when it is open. */
export function PhoneScreen({ phone, use }: { phone: Phone; use: (what: PhoneUse) => void }) {
  const { phones: words } = useTexts()
  const now = useMinute()
  const format = useFormat()
  const time = new Date(now)
  return (
    <div
      className={classes.body}
      data-platform={phone.platform}
      data-off={!phone.online || !phone.installed || undefined}
    >
      <div className={classes.status}>
        <span>{format.clock(time)}</span>
        {phone.online ? (
          <IconWifi size={13} aria-label={words.online} />
        ) : (
          <IconPlaneTilt size={13} aria-label={words.offline} />
        )}
      </div>
      {phone.app === 'open' && phone.installed ? (
        <OpenApp phone={phone} />
      ) : (
        <div className={classes.lock}>
          <div className={classes.clock} aria-hidden>
            <span className={classes.hour}>{format.clock(time)}</span>
            <span>{format.day(time)}</span>
          </div>
        </div>
      )}
      <Notifications phone={phone} use={use} />
      {!phone.installed && <Veil icon={<IconTrash size={22} />} text={words.removed} />}
      {phone.installed && phone.permission === 'denied' && (
        <Veil icon={<IconBellOff size={22} />} text={words.denied} />
      )}
    </div>
  )
}

function Notifications({ phone, use }: { phone: Phone; use: (what: PhoneUse) => void }) {
  const { name, may } = useApp()
  const format = useFormat()
  const { phones: words } = useTexts()
  const [openId, setOpenId] = useState<string>()
  const opened = useRef<HTMLLIElement>(null)
  // With its buttons it may reach below the glass.
  useEffect(() => {
    if (openId !== undefined) opened.current?.scrollIntoView({ block: 'nearest' })
  }, [openId])
  const shown = phone.notifications.filter(({ state }) => state === 'shown').reverse()
  const mayUse = may('operate')
  const isQuiet = phone.app === 'closed' && phone.installed && phone.permission !== 'denied'
  if (shown.length === 0) return isQuiet && <Nothing userId={phone.userId} />
  return (
    <ul className={classes.notifications} aria-label={words.notifications} aria-live="polite">
      {shown.slice(0, shownAtMost).map(({ messageId, shownAt, image, state: _state, via: _via, ...drawn }) => (
        <li key={messageId} ref={openId === messageId ? opened : null}>
          <NotificationPreview
            platform={phone.platform}
            appName={name}
            notification={{ ...drawn, ...(image !== undefined && { mediaUrl: image }) }}
            when={format.clock(new Date(shownAt))}
            expanded={openId === messageId}
            onToggle={() => setOpenId((old) => (old === messageId ? undefined : messageId))}
            {...(mayUse && {
              onTap: () => use({ act: 'tap', messageId }),
              onAction: (actionId: string) => use({ act: 'action', messageId, actionId }),
              onDismiss: () => use({ act: 'dismiss', messageId }),
            })}
          />
        </li>
      ))}
      {shown.length > shownAtMost && <li className={classes.rest}>{words.moreShown(shown.length - shownAtMost)}</li>}
    </ul>
  )
}

function Nothing({ userId }: { userId: string }) {
  const { phones: words } = useTexts()
  const { may } = useApp()
  return (
    <div className={classes.nothing}>
      <span>{words.nothingYet}</span>
      {may('send-to-one') && (
        <AppLink to="/send" search={{ user: userId }} size="xs" c="inherit" underline="always">
          {words.send}
        </AppLink>
      )}
    </div>
  )
}

function OpenApp({ phone }: { phone: Phone }) {
  const { name } = useApp()
  const { phones: words } = useTexts()
  const latest = phone.messages.slice(-4).reverse()
  return (
    <div className={classes.app}>
      <Text fw={650} size="sm">
        {name}
      </Text>
      {latest.length === 0 && <Text size="xs">{words.inAppNone}</Text>}
      {latest.map(({ messageId, content }) => (
        <div key={messageId} className={classes.message} dir="auto">
          {content}
        </div>
      ))}
    </div>
  )
}

function Veil({ icon, text }: { icon: React.ReactNode; text: string }) {
  return (
    <div className={classes.veil}>
      {icon}
      <span>{text}</span>
    </div>
  )
}

function useMinute(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs / 6)
    return () => clearInterval(timer)
  }, [])
  return now
}
