import type { DrawnNotification } from './draw-notification.ts'

/** Why none can be shown by a page; undefined when they can. */
export function mayShow(): boolean {
  return typeof Notification !== 'undefined' && Notification.permission === 'granted'
}

/**
 * Shown by the service worker where there is one, because its notifications have buttons and outlive the page;
 * otherwise by the page, which then hears what becomes of it and is given it.
 */
export async function showNotification(
  { title, options }: DrawnNotification,
  worker: ServiceWorkerRegistration | undefined,
  onTouched: (notification: Notification, kind: 'click' | 'close') => void,
): Promise<Notification | undefined> {
  if (worker?.active) {
    await worker.showNotification(title, options)
    return undefined
  }
  const { actions: _onlyOfWorkers, ...rest } = options
  const notification = new Notification(title, rest)
  notification.onclick = () => {
    onTouched(notification, 'click')
    notification.close()
  }
  notification.onclose = () => onTouched(notification, 'close')
  return notification
}
