import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page, type Worker } from 'playwright-core'
import { afterAll } from 'vitest'
import { findChromium } from './chromium.ts'

/** Only this machine is reachable, and nothing is looked for elsewhere. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const launchLimitMs = 110_000
/** For a page, an element or a service worker to be there. */
const waitLimitMs = 90_000

/** A browser with a profile of its own, as one user has it on one device. */
export async function openBrowser(): Promise<BrowserContext> {
  const folder = await mkdtemp(join(tmpdir(), 'peyk-chromium-'))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: findChromium() as string,
    headless: true,
    args: flags,
    timeout: launchLimitMs,
  })
  context.setDefaultTimeout(waitLimitMs)
  opened.push({ context, folder })
  return context
}

let shared: Promise<Browser> | undefined

/** As if a browser of its own, in one that the test file's others share: a window that remembers nothing, quickly there. */
export async function openWindow(): Promise<BrowserContext> {
  shared ??= chromium.launch({ executablePath: findChromium() as string, args: flags, timeout: launchLimitMs })
  const context = await (await shared).newContext()
  context.setDefaultTimeout(waitLimitMs)
  return context
}

const opened: { context: BrowserContext; folder: string }[] = []
// Here and not where they are opened: a test cannot say any more what is to happen after all of them.
afterAll(async () => {
  await (await shared)?.close()
  shared = undefined
  for (const { context, folder } of opened.splice(0)) {
    await context.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})

export interface Shop {
  origin: string
  close(): Promise<void>
}

/** An app's own site, on an origin of its own: one page that loads the library, and a service worker that takes it over. */
export async function openShop(baseUrl: string): Promise<Shop> {
  const files: Record<string, [type: string, text: string]> = {
    '/': ['text/html', `<!doctype html><title>Shop</title><script src="${baseUrl}/sdk/peyk.js"></script>`],
    '/module': [
      'text/html',
      `<!doctype html><script type="module">import { Peyk } from '${baseUrl}/sdk/peyk.mjs'; window.PeykModule = Peyk</script>`,
    ],
    '/peyk-sw.js': ['text/javascript', `importScripts('${baseUrl}/sdk/peyk-sw.js')`],
  }
  const server: Server = createServer((request, response) => {
    const [type, text] = files[request.url?.split('?', 1)[0] ?? ''] ?? ['text/html', '<!doctype html>']
    response.writeHead(200, { 'content-type': type }).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  afterAll(close)
  return { origin: `http://localhost:${(server.address() as { port: number }).port}`, close }
}

/** The shop's service worker, once it runs. */
export async function findWorker(context: BrowserContext, origin: string): Promise<Worker> {
  const isOurs = (worker: Worker) => worker.url().startsWith(origin)
  return context.serviceWorkers().find(isOurs) ?? context.waitForEvent('serviceworker', isOurs)
}

/** Hands a push to the service worker, as the browser does when its push service brought one. */
export async function deliverPush(page: Page, push: object): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { origin } = new URL(page.url())
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin))
      if (ours) resolve(ours.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await found
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(push) })
  await session.detach()
}
