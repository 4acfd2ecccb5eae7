import type { LiveTopic } from '@peyk/contract'
import { appUrl } from './call.ts'
import { recordDoubt } from './server-state.ts'

export interface Subscription {
  appId: string
  topic: LiveTopic
  /** The message that is watched, for the topic `message`. */
  message: string | undefined
  onData(data: unknown): void
}

const topics: readonly LiveTopic[] = ['messages', 'message', 'events', 'alerts', 'checklist']
/** Pages come and go together: their wishes are put into one address. */
const settleMs = 30
/** A browser holds few connections to one service, and a tab that nobody looks at needs none. */
const hiddenMs = 10_000
const shortestRestMs = 2_000
const longestRestMs = 30_000

const subscriptions = new Set<Subscription>()
let source: EventSource | undefined
let openAddress: string | undefined
let settling: ReturnType<typeof setTimeout> | undefined
let hiding: ReturnType<typeof setTimeout> | undefined
let restMs = shortestRestMs

/** All subscriptions share one stream, which is open while there are any and somebody can see them. */
export function subscribe(subscription: Subscription): () => void {
  subscriptions.add(subscription)
  settle()
  return () => {
    subscriptions.delete(subscription)
    settle()
  }
}

function settle(delayMs = settleMs): void {
  clearTimeout(settling)
  settling = setTimeout(connect, delayMs)
}

/** The last one who subscribed says which app and which message it is about. */
function wantedAddress(appId: string | undefined): string | undefined {
  const wanted = [...subscriptions]
  if (appId === undefined || document.hidden) return undefined
  const own = wanted.filter((each) => each.appId === appId)
  const named = topics.filter((topic) => own.some((each) => each.topic === topic))
  const message = own.findLast((each) => each.message !== undefined)?.message
  return appUrl(appId, '/live', { topics: named.join(','), message })
}

function connect(): void {
  const appId = [...subscriptions].at(-1)?.appId
  const address = wantedAddress(appId)
  if (address === openAddress && source?.readyState !== EventSource.CLOSED) return
  source?.close()
  openAddress = address
  source = address === undefined || appId === undefined ? undefined : open(appId, address)
}

function open(appId: string, address: string): EventSource {
  const opened = new EventSource(address)
  opened.onopen = () => {
    restMs = shortestRestMs
  }
  opened.onerror = () => {
    if (opened === source) void recordDoubt()
    // While it is connecting again by itself there is nothing to do; what was refused is tried later.
    if (opened !== source || opened.readyState !== EventSource.CLOSED) return
    settle(restMs)
    restMs = Math.min(restMs * 2, longestRestMs)
  }
  for (const topic of topics) {
    opened.addEventListener(topic, ({ data }: MessageEvent<string>) => deliver(appId, topic, JSON.parse(data)))
  }
  return opened
}

function deliver(appId: string, topic: LiveTopic, data: unknown): void {
  for (const each of [...subscriptions]) if (each.topic === topic && each.appId === appId) each.onData(data)
}

document.addEventListener('visibilitychange', () => {
  clearTimeout(hiding)
  if (document.hidden) hiding = setTimeout(connect, hiddenMs)
  else connect()
})
