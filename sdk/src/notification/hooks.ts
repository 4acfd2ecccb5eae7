import { isObject } from '../message.ts'
import { cloneable } from './cloneable.ts'
import type { DrawnNotification, ShownOptions } from './draw-notification.ts'
import type { OpenedNotification } from './open-notification.ts'

/** A notification as it will be shown, unless the build hook says otherwise. */
export interface BuiltNotification extends ShownOptions {
  title: string
}

/** What the hooks are told of the message: all that its way brought. */
export interface NotifiedMessage {
  id: string
  trackId?: string
  content?: string
  data?: Record<string, unknown>
  [field: string]: unknown
}

type Now<T> = T | Promise<T>

/** False: the app shows it itself. An object: these options are used over ours. */
export type BuildHook = (
  notification: BuiltNotification,
  message: NotifiedMessage,
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook may simply end
) => Now<boolean | Partial<BuiltNotification> | null | undefined | void>

/** False: the screen or URL is not opened. The receipt is reported either way. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook may simply end
export type OpenHook = (action: OpenedNotification) => Now<boolean | undefined | void>

export type BuildAnswer = { isShownByApp: true } | { isShownByApp: false; changes?: Partial<BuiltNotification> }

export interface OpenAnswer {
  isPrevented: boolean
}

/** The hook has this long; then it counts as absent, so that nothing waits for ever. */
export const hookLimitMs = 2_000

export async function askBuildHook(
  hook: BuildHook | undefined,
  { title, options }: DrawnNotification,
  message: NotifiedMessage,
): Promise<BuildAnswer> {
  if (!hook) return { isShownByApp: false }
  const { data, ...rest } = options
  const { peyk: _marks, ...own } = data as Record<string, unknown>
  const returned = await within(() => hook({ title, ...rest, data: own }, message))
  if (returned === false) return { isShownByApp: true }
  if (!isObject(returned)) return { isShownByApp: false }
  return { isShownByApp: false, changes: cloneable(returned) as Partial<BuiltNotification> }
}

export async function askOpenHook(hook: OpenHook | undefined, action: OpenedNotification): Promise<OpenAnswer> {
  return { isPrevented: hook !== undefined && (await within(() => hook(action))) === false }
}

/** What we need to know when it is touched stays, whatever the hook made of the rest. */
export function applyChanges(drawn: DrawnNotification, changes: Partial<BuiltNotification> = {}): DrawnNotification {
  const { title, ...changed } = changes
  const { marks } = drawn
  const data = isObject(changed.data) ? changed.data : {}
  const options = { ...drawn.options, ...changed, data: { ...drawn.options.data, ...data, peyk: marks } }
  // Browsers refuse one without the other.
  if (!options.tag) delete options.renotify
  return { title: title ?? drawn.title, options, marks }
}

/** A hook that throws or takes too long is as good as none; the app's own console shows why. */
async function within<T>(run: () => Now<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), hookLimitMs)
  })
  try {
    return await Promise.race([run(), limit])
  } catch (error) {
    console.error('Peyk: a notification hook failed.', error)
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
