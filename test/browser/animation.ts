/** Films a newcomer's first minute anew: `node test/browser/animation.ts` writes docs/images/first-minute.webp. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roles } from '@peyk/server/base/config.ts'
import { welcome } from '@peyk/server/entry/command/start/announce.ts'
import type { RunningService } from '@peyk/server/entry/command/start/running.ts'
import { chromium, type Locator, type Page } from 'playwright-core'
import { findChromium } from '../helpers/programs/chromium.ts'
import { type DemoFile, freePort, ServiceProcess } from '../helpers/service/service-process.ts'
import { encodeAnimation, type Frame } from './animated-webp.ts'

const viewport = { width: 1360, height: 820 }
const frames: Frame[] = []
let mouse = { x: 700, y: 420 }

/** Shows what is there for so long. What looks like before is shown longer. */
async function show(page: Page, milliseconds: number): Promise<void> {
  const png = await page.screenshot()
  const last = frames.at(-1)
  if (last?.png.equals(png) && last.mouse?.x === mouse.x && last.mouse.y === mouse.y) last.milliseconds += milliseconds
  else frames.push({ png, milliseconds, mouse: { ...mouse } })
}

/** Shows every change until it has come to that; what stands still is cut out. */
async function watch(page: Page, hasHappened: () => Promise<boolean>): Promise<void> {
  for (let isLast = false; !isLast; ) {
    isLast = await hasHappened()
    const png = await page.screenshot()
    if (!frames.at(-1)?.png.equals(png)) frames.push({ png, milliseconds: 250, mouse })
    await page.waitForTimeout(300)
  }
}

async function click(page: Page, target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error(`${target} is not to be seen`)
  const to = { x: Math.round(box.x + Math.min(box.width / 2, 60)), y: Math.round(box.y + box.height / 2) }
  const from = mouse
  for (const share of [0.35, 0.75, 1]) {
    mouse = { x: Math.round(from.x + (to.x - from.x) * share), y: Math.round(from.y + (to.y - from.y) * share) }
    await show(page, 60)
  }
  await page.mouse.move(to.x, to.y)
  await show(page, 250)
  await target.click()
}

async function type(page: Page, field: Locator, text: string): Promise<void> {
  await click(page, field)
  for (const part of text.match(/.{1,4}/gs) ?? []) {
    await page.keyboard.type(part)
    await show(page, 90)
  }
}

/** The command, and what the service said after it. */
async function showTerminal(page: Page, output: string): Promise<void> {
  const draw = (text: string) =>
    page
      .setContent(
        `<body style="margin:0;background:#0f1115;color:#d7dae0;font:15px/1.6 ui-monospace,monospace"><pre style="margin:28px;white-space:pre-wrap"></pre></body>`,
      )
      .then(() => page.locator('pre').evaluate((element, shown) => element.append(shown), text))
  const command = '$ npm install && npm start'
  for (let end = 2; end <= command.length; end += 6) {
    await draw(`${command.slice(0, end)}▌`)
    await show(page, 110)
  }
  await draw(`${command}\n`)
  await show(page, 700)
  await draw(`${command}\n\n${output}`)
  await show(page, 2_400)
}

/** Waits until everybody of the demo's crowd has the app. */
async function awaitCrowd({ baseUrl, accessToken }: DemoFile): Promise<void> {
  const url = `${baseUrl}/api/segments/count?access_token=${accessToken}`
  const body = JSON.stringify({ segment: { all: [] } })
  for (let [before, now] = [-1, 0]; before !== now; await new Promise((resolve) => setTimeout(resolve, 3_000))) {
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    before = now
    now = ((await response.json()) as { count: number }).count
  }
}

/** Where it listens, and the link that signs in once. */
async function readLog(): Promise<{ mqttUrl: string; signIn: string }> {
  for (;;) {
    const lines = service.output.split('\n').filter((line) => /"(mqttUrl|signIn)":/.test(line))
    if (lines.length === 2) return Object.assign({}, ...lines.map((line) => JSON.parse(line)))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** What it says to a terminal, as on the port and in the folder that it has by itself. */
function greeting(demo: DemoFile, { mqttUrl, signIn }: { mqttUrl: string; signIn: string }): string {
  const member = { email: demo.panelEmail, linkKey: signIn.split('#')[1] }
  const text = welcome({
    ...{ baseUrl: demo.baseUrl, mqttUrl, hasApps: true, hasMembers: true, roles },
    demo: { ...demo, path: join(data, 'demo.json'), member },
  } as RunningService)
  return text.replaceAll(data, '.peyk').replaceAll(String(service.port), '8090').split('\n').slice(0, 14).join('\n')
}

const data = await mkdtemp(join(tmpdir(), 'peyk-animation-'))
const service = new ServiceProcess(data, await freePort())
await service.start({ PEYK_MODE: 'development', PEYK_CROWD_SIZE: '300', PEYK_LOG_LEVEL: 'info' })
const browser = await chromium.launch({ executablePath: findChromium() as string, args: ['--no-sandbox'] })
try {
  const demo = await service.readDemo()
  const page = await (await browser.newContext({ viewport })).newPage()
  await awaitCrowd(demo)
  const said = await readLog()
  await showTerminal(page, greeting(demo, said))
  await page.goto(said.signIn)
  await page.waitForURL('**/overview')
  await page.waitForTimeout(1_500)
  await show(page, 1_500)

  await click(page, page.getByRole('link', { name: 'Send', exact: true }))
  await page.waitForTimeout(800)
  await show(page, 500)
  await click(page, page.getByText('Everybody').first())
  await page.waitForTimeout(500)
  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  await type(page, field('notification.title'), 'Weekend sale')
  await type(page, field('content'), 'Everything for half the price, until Sunday.')
  await page.waitForTimeout(600)
  await show(page, 1_000)
  await click(page, page.getByRole('button', { name: /^Send to .*…$/ }))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').waitFor()
  await page.waitForTimeout(500)
  await show(page, 1_200)
  const count = await page.locator('[data-planned]').getAttribute('data-planned')
  await type(page, dialog.getByRole('textbox'), String(count))
  await click(page, page.getByRole('button', { name: /^Send to .* now$/ }))
  await page.waitForURL(/\/messages\/[0-9a-f-]{36}$/)
  await page.waitForTimeout(500)
  await watch(page, async () => {
    const message = await fetch(`${page.url().replace('/panel/demo/', '/api/')}?access_token=${demo.accessToken}`)
    const { count: all, states } = (await message.json()) as { count: number; states: Record<string, number> }
    return (states.opened ?? 0) > all / 20
  })
  await show(page, 1_500)
  await click(page, page.getByRole('link', { name: 'Phones', exact: true }))
  await page.getByText('Weekend sale').first().waitFor()
  await page.waitForTimeout(1_000)
  await show(page, 3_000)

  const file = await encodeAnimation(browser, frames)
  await writeFile(join(import.meta.dirname, '../../docs/images/first-minute.webp'), file)
  const seconds = frames.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1_000
  process.stdout.write(
    `first-minute.webp: ${frames.length} frames, ${seconds} s, ${Math.round(file.length / 1_000)} kB\n`,
  )
} finally {
  await browser.close()
  await service.end('SIGTERM')
  await rm(data, { recursive: true, force: true })
}
