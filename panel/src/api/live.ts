import type { LiveData, LiveTopic } from '@peyk/contract'
import { useEffect, useEffectEvent } from 'react'
import { subscribe } from './live-line.ts'
import { useApp } from './use-app.ts'

export interface LiveOptions {
  /** Off: nothing is asked for. */
  enabled?: boolean
  /** Which message is watched, for the topic `message`. */
  message?: string
}

/**
 * Calls back with what changes, as it changes: `useLive('alerts', setAlerts)`. Right after connecting, and again after a
 * lost connection, it brings everything there is, so nothing that happened meanwhile is missed.
 */
export function useLive<Topic extends LiveTopic>(
  topic: Topic,
  onData: (data: LiveData[Topic]) => void,
  { enabled = true, message }: LiveOptions = {},
): void {
  const { appId } = useApp()
  const tell = useEffectEvent((data: unknown) => onData(data as LiveData[Topic]))
  useEffect(() => {
    if (!enabled) return
    return subscribe({ appId, topic, message, onData: (data) => tell(data) })
  }, [appId, topic, message, enabled])
}
