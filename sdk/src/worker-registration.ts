export interface WorkerPlace {
  url: string
  scope: string | undefined
  appId: string
}

/** Undefined when it was never registered, cannot be, or when another worker than ours has its scope. */
export async function findWorker(place: WorkerPlace): Promise<ServiceWorkerRegistration | undefined> {
  const found = await findAtScope(place)
  return found?.active && isOurs(found.active.scriptURL, place, location.href) ? found : undefined
}

/** Answers when it runs. One that the site has registered itself is used as it is. */
export async function registerWorker(place: WorkerPlace): Promise<ServiceWorkerRegistration> {
  const found = await findAtScope(place)
  const newest = found?.installing ?? found?.waiting ?? found?.active
  const registration =
    found && newest && isOurs(newest.scriptURL, place, location.href) ? found : await registerAnew(place)
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

/** The file that was named, for this app: its address says so, or else the file itself (`PEYK_APP_ID`). */
export function isOurs(scriptUrl: string, { url, appId }: WorkerPlace, base: string): boolean {
  const script = new URL(scriptUrl)
  const wanted = new URL(url, base)
  return (
    script.origin === wanted.origin &&
    script.pathname === wanted.pathname &&
    (script.searchParams.get('appId') ?? appId) === appId
  )
}

async function findAtScope({ url, scope: wanted }: WorkerPlace): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined
  const scope = wanted === undefined ? new URL('./', new URL(url, location.href)) : new URL(wanted, location.href)
  const found = await navigator.serviceWorker.getRegistration(scope).catch(() => undefined)
  return found?.scope === scope.href ? found : undefined
}

function registerAnew({ url, scope, appId }: WorkerPlace): Promise<ServiceWorkerRegistration> {
  const address = new URL(url, location.href)
  address.searchParams.set('appId', appId)
  const options = { updateViaCache: 'none' as const, ...(scope !== undefined && { scope }) }
  return navigator.serviceWorker.register(address, options)
}
