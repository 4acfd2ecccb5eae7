import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Worker,
} from 'playwright-core'
import { afterAll, inject, onTestFinished, TestRunner } from 'vitest'
import { findChromium } from './programs/chromium.ts'
import { waitLimitMs } from './runner/wait-limit.ts'

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

let launching: Promise<Browser> | undefined

/** One browser for all test files of a worker; it ends with the worker. */
function launch(): Promise<Browser> {
  // What a browser leaves behind when it is killed goes with the folder of the run.
  process.env.TMPDIR = inject('runFolder')
  launching ??= chromium.launch({
    executablePath: findChromium() as string,
    args: flags,
    timeout: waitLimitMs,
    // In the locale C, which a process without any has, names of files with other letters become "download".
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  return launching
}

const windows = new Set<BrowserContext>()

/** As one user has it on one device: a window that shares nothing with others, gone with its test, or with its test file. */
export async function openWindow(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await (await launch()).newContext(options)
  context.setDefaultTimeout(waitLimitMs)
  if (TestRunner.getCurrentTest() === undefined) windows.add(context)
  else
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') await tellPages(context)
      await closeWindow(context)
    })
  return context
}

/** What pages still ask for is of no interest any more: routes that handle it would fail. */
async function closeWindow(context: BrowserContext): Promise<void> {
  if (!context.browser()?.contexts().includes(context)) return
  for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
}

const longestTold = 4_000

/** What somebody would have seen when the test failed. */
async function tellPages(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    const text = await page.locator('body').ariaSnapshot({ timeout: 2_000 }).catch(String)
    console.error(`${page.url()} showed:\n${text.slice(0, longestTold)}`)
  }
}

/** For the top of a test file: not in this module, which files share, and not in a test, which cannot say it any more. */
export function closeWindowsAfterAll(): void {
  afterAll(async () => {
    for (const context of windows) await closeWindow(context)
    windows.clear()
  })
}

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
