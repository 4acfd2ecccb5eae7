export interface WorkerPlace {
  url: string
  scope: string | undefined
}

/** The service worker's address says which app it works for. */
function addressOf({ url }: WorkerPlace, appId: string): string {
  const address = new URL(url, location.href)
  address.searchParams.set('appId', appId)
  return address.href
}

/** Undefined when it was never registered, or cannot be. */
export async function findWorker(place: WorkerPlace): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined
  const scope = new URL(place.scope ?? './', new URL(place.url, location.href))
  const found = await navigator.serviceWorker.getRegistration(scope).catch(() => undefined)
  return found?.scope === scope.href ? found : undefined
}

/** Answers when it runs. */
export async function registerWorker(place: WorkerPlace, appId: string): Promise<ServiceWorkerRegistration> {
  const options = { updateViaCache: 'none' as const, ...(place.scope !== undefined && { scope: place.scope }) }
  const registration = await navigator.serviceWorker.register(addressOf(place, appId), options)
  const worker = registration.active ?? registration.waiting ?? registration.installing
  if (!worker || worker.state === 'activated') return registration
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      if (worker.state === 'activated') resolve()
      if (worker.state === 'redundant') reject(new Error('The service worker could not be installed.'))
    }
    worker.addEventListener('statechange', look)
    look()
  })
  return registration
}
