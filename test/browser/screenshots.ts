/** Takes the pictures of the docs anew: `node test/browser/screenshots.ts` writes docs/images. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CrowdView } from '@peyk/simulator'
import { chromium, type Page } from 'playwright-core'
import { findChromium } from '../helpers/programs/chromium.ts'
import { type DemoFile, freePort, ServiceProcess } from '../helpers/service/service-process.ts'

interface Picture {
  name: string
  path: string
  language?: 'en' | 'fa'
  scheme?: 'light' | 'dark'
  width?: number
  height?: number
  prepare?(page: Page): Promise<void>
}

const folder = join(import.meta.dirname, '../../docs/images')
const segment = {
  all: [
    { name: 'deviceType', operator: 'include', value: ['android', 'ios'] },
    { name: 'tags', operator: 'include', value: ['vip'] },
  ],
}

const pictures = (messageId: string, segmentId: string): Picture[] => [
  { name: 'overview', path: '/overview' },
  { name: 'send', path: `/send?segment=${segmentId}`, prepare: compose, height: 1000 },
  { name: 'message', path: `/messages/${messageId}` },
  { name: 'segment', path: `/segments/${segmentId}` },
  { name: 'user', path: '/users/user-1', scheme: 'dark' },
  { name: 'phones', path: '/phones' },
  { name: 'overview-fa', path: '/overview', language: 'fa', scheme: 'dark' },
  { name: 'messages-narrow', path: '/messages', width: 390, height: 780 },
]

async function compose(page: Page): Promise<void> {
  await page.locator('[data-field="notification.title"]').fill('Weekend sale')
  await page
    .locator('[data-field="content"]')
    .fill('Hello {{ user.firstName | default: "friend" }}, everything for half the price.')
  await page.evaluate(() => scrollTo(0, 0))
}

async function call(url: string, method: string, body?: object): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method, ...(body && { headers, body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Record<string, string>
}

async function waitUntil(isMet: () => Promise<boolean>): Promise<void> {
  while (!(await isMet())) await new Promise((resolve) => setTimeout(resolve, 200))
}

/** Something to see: a campaign that some have opened, and a segment. */
async function prepare({
  baseUrl,
  accessToken,
  simulatorUrl,
}: DemoFile): Promise<[messageId: string, segmentId: string]> {
  const api = (path: string, body: object) => call(`${baseUrl}/api/${path}?access_token=${accessToken}`, 'POST', body)
  await waitUntil(async () => {
    const { members, size } = (await call(`${simulatorUrl}/crowd`, 'GET')) as unknown as CrowdView
    return members >= size
  })
  const made = await api('segments', { name: 'VIPs on phones', segment })
  const actions = [
    { id: 'track', title: 'Track it' },
    { id: 'later', title: 'Later' },
  ]
  await api('push/toUsers', {
    user: 'user-1',
    content: 'Your order is on its way',
    notification: { title: 'Order 4711', body: 'Your order is on its way. Follow it on the map.', actions },
  })
  const sent = await api('push/byQuery', {
    content: 'Everything for half the price',
    trackId: 'weekend-sale',
    target: {},
    notification: { title: 'Weekend sale', body: 'Everything for half the price, until Sunday.' },
  })
  const hasArrived = (phones: { notifications: { messageId: string }[] }[]) =>
    phones.every(({ notifications }) => notifications.some(({ messageId }) => messageId === sent.id))
  let phones: { id: string; notifications: { messageId: string }[] }[] = []
  await waitUntil(async () => {
    phones = (await call(`${simulatorUrl}/phones`, 'GET')) as never
    return phones.length > 0 && hasArrived(phones)
  })
  await call(`${simulatorUrl}/phones/${phones[0]?.id}/tap`, 'POST', { messageId: sent.id as string })
  await waitUntil(async () => {
    const path = `${baseUrl}/api/messages/${sent.id}?access_token=${accessToken}`
    const { states } = (await call(path, 'GET')) as unknown as { states: Record<'opened' | 'acted', number> }
    return states.opened + states.acted >= 60
  })
  return [sent.id as string, made.id as string]
}

async function signIn(page: Page, { baseUrl, panelEmail, panelPassword }: DemoFile): Promise<void> {
  await page.goto(`${baseUrl}/panel/`)
  await page.fill('input[name=email]', panelEmail)
  await page.fill('input[name=password]', panelPassword)
  await page.click('button[type=submit]')
  await page.waitForURL('**/overview')
}

const data = await mkdtemp(join(tmpdir(), 'peyk-pictures-'))
const service = new ServiceProcess(data, await freePort())
// With the crowd of `npm start`, who receive, open and buy.
await service.start({ PEYK_MODE: 'development', PEYK_CROWD_SIZE: '300' })
const browser = await chromium.launch({ executablePath: findChromium() as string, args: ['--no-sandbox'] })
try {
  await mkdir(folder, { recursive: true })
  const demo = await service.readDemo()
  const [messageId, segmentId] = await prepare(demo)
  const first = await browser.newContext()
  await signIn(await first.newPage(), demo)
  const storageState = await first.storageState()
  for (const picture of pictures(messageId, segmentId)) {
    const { name, path, language = 'en', scheme = 'light', width = 1280, height = 860 } = picture
    const context = await browser.newContext({ storageState, viewport: { width, height } })
    await context.addInitScript(
      ([spoken, colours]) => {
        localStorage.setItem('peyk-language', spoken as string)
        localStorage.setItem('mantine-color-scheme-value', colours as string)
      },
      [language, scheme],
    )
    const page = await context.newPage()
    await page.goto(`${demo.baseUrl}/panel/demo${path}`)
    await page.waitForSelector('h1')
    await picture.prepare?.(page)
    await page.waitForTimeout(2_000)
    await page.screenshot({ path: join(folder, `${name}.png`) })
    process.stdout.write(`${name}.png\n`)
    await context.close()
  }
} finally {
  await browser.close()
  await service.end('SIGTERM')
  await rm(data, { recursive: true, force: true })
}
