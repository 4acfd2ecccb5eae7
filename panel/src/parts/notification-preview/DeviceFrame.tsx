import { IconAntennaBars5, IconBattery4, IconChevronUp, IconLock, IconWifi } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useFormat } from '../../texts/LanguageProvider.tsx'
import classes from './DeviceFrame.module.css'
import type { PreviewPlatform } from './preview-props.ts'

export type DeviceScheme = 'light' | 'dark'

interface DeviceFrameProps {
  platform: PreviewPlatform
  /** Of the device, whatever the panel's own is. */
  scheme: DeviceScheme
  /** Whose page stands in the browser. */
  site: string
  children: ReactNode
}

/** The upper part of a locked phone, or a desktop with a browser: where notifications come to be seen. */
export function DeviceFrame({ platform, scheme, site, children }: DeviceFrameProps) {
  const Screen = platform === 'web' ? Desktop : LockScreen
  return (
    <div className={classes.device} data-platform={platform} data-scheme={scheme}>
      <div className={classes.screen}>
        <Screen site={site}>
          <div className={classes.notice}>{children}</div>
        </Screen>
      </div>
    </div>
  )
}

function LockScreen({ children }: { children: ReactNode }) {
  const format = useFormat()
  const [now] = useState(() => new Date())
  return (
    <>
      <div className={classes.status} aria-hidden>
        <span className={classes.time}>{format.clock(now)}</span>
        <span className={classes.island} />
        <span className={classes.signs}>
          <IconAntennaBars5 size={15} />
          <IconWifi size={15} />
          <IconBattery4 size={18} />
        </span>
      </div>
      <div className={classes.clock} aria-hidden>
        <span className={classes.hour}>{format.clock(now)}</span>
        <span className={classes.day}>{format.weekday(now)}</span>
      </div>
      {children}
    </>
  )
}

function Desktop({ site, children }: { site: string; children: ReactNode }) {
  const format = useFormat()
  const [now] = useState(() => new Date())
  return (
    <>
      <div className={classes.window} aria-hidden>
        <div className={classes.tabs}>
          <span className={classes.tab}>{site}</span>
        </div>
        <div className={classes.bar}>
          <span className={classes.address}>
            <IconLock size={10} />
            {site}
          </span>
        </div>
        <div className={classes.page} />
      </div>
      {children}
      <div className={classes.taskbar} aria-hidden>
        <IconChevronUp size={13} />
        <IconWifi size={13} />
        <IconBattery4 size={15} />
        <span>{format.clock(now)}</span>
      </div>
    </>
  )
}
