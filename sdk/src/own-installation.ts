import { backOffMs } from './back-off.ts'
import type { Page } from './page.ts'
import { type InstallationChange, register, updateInstallation } from './registration.ts'
import { PeykError, type Service } from './rest.ts'
import { dropOthersMessages } from './store/inbox.ts'
import { changeState, type Installation, readState } from './store/state.ts'
import { refreshStaleWebPush, refreshWebPush } from './web-push.ts'
import { registerWorker, type WorkerPlace } from './worker-registration.ts'

interface OwnOptions {
  appId: string
  service: Service
  clientVersion: string | undefined
  workerPlace: WorkerPlace
}

/** What the service calls this browser: registered once, kept, shared with the other tabs, registered again when lost. */
export class OwnInstallation {
  /** Undefined until it is registered. */
  known: Installation | undefined
  private readonly page: Page
  private readonly options: OwnOptions
  private started: Promise<Installation> | undefined

  constructor(page: Page, options: OwnOptions) {
    this.page = page
    this.options = options
    page.onChanged = (why) =>
      this.readAgain(why).catch((error) => console.warn('Peyk: registering again failed.', error))
    page.onBack = () => this.refreshWebPush(refreshStaleWebPush)
  }

  get device() {
    const { appId, service, clientVersion } = this.options
    return { database: this.page.database, appId, service, clientVersion }
  }

  get webPushParts() {
    const { database } = this.page
    const { service, workerPlace } = this.options
    const tell = (change: InstallationChange) => this.use(() => updateInstallation(this.device, () => change))
    return { database, service, tell, worker: () => registerWorker(workerPlace) }
  }

  /** Registered, at the first call. Later calls answer what is known. */
  async ready(): Promise<Installation> {
    this.started ??= this.start().catch((error) => {
      this.started = undefined
      throw error
    })
    await this.started
    return this.known as Installation
  }

  /** [client-protocol.md#client-library-behavior] An installation that the service has forgotten registers again. */
  async use<T>(work: (known: Installation) => Promise<T>): Promise<T> {
    const known = await this.ready()
    try {
      return await work(known)
    } catch (error) {
      if (!(error instanceof PeykError) || error.status !== 404) throw error
    }
    await this.readAgain('forgotten')
    return work(this.known as Installation)
  }

  async change(change: Parameters<typeof updateInstallation>[1]): Promise<Installation> {
    const installation = await this.use(() => updateInstallation(this.device, change))
    this.adopt(installation)
    this.page.tellOthers()
    return installation
  }

  private async start(): Promise<Installation> {
    const { database } = this.page
    await changeState(database, 'service', () => this.options.service)
    const known = await readState(database, 'installation')
    const registering = this.registerUntilDone()
    if (!known) return registering
    this.adopt(known)
    registering.catch((error) => console.error('Peyk: the service does not register this browser.', error))
    return known
  }

  private async registerUntilDone(): Promise<Installation> {
    for (let failures = 1; ; failures++) {
      try {
        const installation = await register(this.device)
        this.adopt(installation)
        this.page.tellOthers()
        this.refreshWebPush(refreshWebPush)
        return installation
      } catch (error) {
        if (!(error instanceof PeykError) || !error.isTemporary || this.page.isStopped) throw error
        if (error.retryAfterMs === undefined) await untilOnline(backOffMs(failures))
        else await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs))
      }
    }
  }

  private refreshWebPush(refresh: typeof refreshWebPush): void {
    refresh(this.webPushParts).catch((error) => console.warn('Peyk: web push was not refreshed.', error))
  }

  /** Another tab changed it, or the service has forgotten it. */
  private async readAgain(why: 'other-tab' | 'forgotten'): Promise<void> {
    if (why === 'forgotten') await register(this.device)
    const installation = await readState(this.page.database, 'installation')
    if (installation) this.adopt(installation)
    if (why === 'forgotten') this.page.tellOthers()
  }

  private adopt(installation: Installation): void {
    // Also at the start: the page that changed the user may have been closed before it came to this.
    if (this.known?.userId !== installation.userId) dropOthersMessages(this.page.database).catch(console.warn)
    this.known = installation
    this.page.use(installation)
  }
}

/** At most so long; less when the browser says that there is a network again. */
function untilOnline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    window.addEventListener('online', end)
  })
}
