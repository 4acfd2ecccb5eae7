import { execFileSync } from 'node:child_process'
import { peyk } from '@peyk/server/entry/command/peyk-process.test-support.ts'
import { expect, it } from 'vitest'
import { findBarriers, openPanel, type PanelLook, poll } from '../helpers/panel.ts'
import { caller } from '../helpers/service/test-server.ts'

const panel = await openPanel()
const { baseUrl } = panel.demo

async function run(...words: string[]): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await peyk([...words, '--json'], { env: { PEYK_DATA: panel.service.dataFolder } })
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

/** A new member of a new app, at its overview. */
async function openNewApp(appId: string, role: string, look: PanelLook = {}) {
  const { accessToken } = await run('app', 'create', appId)
  const member = ['--email', `${role}@${appId}.example`, '--role', role, '--url', baseUrl]
  const { link } = await run('member', 'create', '--app', appId, ...member)
  const page = await panel.openSignedOut(look)
  await page.goto(link as string)
  await page.waitForURL(`**/panel/${appId}/overview`)
  return { page, call: caller(baseUrl, accessToken as string) }
}

/** As a shell would: with the words that the command line has in it. */
async function runCurl(code: string): Promise<{ id: string }> {
  const said = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${code}`], { encoding: 'utf8' })
  const [url, , token, , type, , body] = said.split('\0') as string[]
  const headers = [token, type].map((line) => (line as string).split(': ') as [string, string])
  const answer = await fetch(url as string, { method: 'POST', headers, body: body as string })
  expect(answer.status).toBe(200)
  return (await answer.json()) as { id: string }
}

it('leads a new app from its key to its first message, and ticks what is done as it is done', async () => {
  const { page, call } = await openNewApp('first-hour', 'admin')
  const progress = (words: string) => page.getByText(words, { exact: true }).waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  const step = (name: RegExp) => page.getByRole('button', { name })

  await progress('1 of 5 done')
  expect(await page.getByText('No users yet').count()).toBe(0)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('No users yet').waitFor()
  await poll(focused).toBe('Overview')
  await page.goto(`${baseUrl}/panel/first-hour/settings/app`)
  await page.getByRole('button', { name: 'Show on the overview' }).click()
  await progress('1 of 5 done')

  await page.getByRole('button', { name: 'Create another key' }).click()
  await page.getByText('Copy it now: it is shown only once.').waitFor()
  const clientKey = await page.getByRole('textbox', { name: 'Client key' }).inputValue()
  await step(/^Add the snippet/).click()
  expect(await page.locator('pre').textContent()).toContain(`clientKey: "${clientKey}"`)
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('tab', { name: 'curl' }).click()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await progress('2 of 5 done')

  await step(/^See your first installation/).click()
  await page.getByText('Waiting for the first installation…').waitFor()
  const { id } = await runCurl((await page.locator('pre').textContent()) as string)
  await progress('3 of 5 done')
  await page.getByRole('link', { name: 'Go to push providers' }).waitFor()

  const { body: simulated } = await panel.simulator('GET', '/providers')
  await call('PUT', '/api/providers/fcm', { ...simulated.credentials.fcm, simulated: true })
  await progress('4 of 5 done')
  const { body: issued } = await panel.simulator('POST', '/tokens', { provider: 'fcm', count: 1 })
  await call('PUT', `/api/installations/${id}`, { deviceToken: issued.tokens[0] })
  await page.getByRole('button', { name: 'Send test message' }).click()
  await page.getByRole('heading', { name: 'You’re all set' }).waitFor()
  await poll(focused).toBe('Done')
  await page.getByText('Active users').first().waitFor()
  await page.reload()
  await page.getByText('Active users').first().waitFor()
  expect(await page.getByText('You’re all set').count()).toBe(0)
  expect(panel.faults).toEqual([])
})

it('says who may do what the role may not, and is not there for an app that is past its first hour', async () => {
  const { page } = await openNewApp('second-hour', 'analyst', { language: 'fa', scheme: 'dark', width: 390 })
  await page.getByText('۱ از ۵ انجام شد').waitFor()
  expect(await page.getByRole('button', { name: 'ساخت کلید دیگر' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'پنهان کردن' }).count()).toBe(0)
  await page.getByRole('button', { name: /^یک سرویس‌دهندهٔ پوش وصل کنید/ }).click()
  await page.getByText('فقط مدیرها می‌توانند این کار را بکنند.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(1)

  const demo = await panel.open()
  await demo.getByText('Active users').first().waitFor()
  expect(await demo.getByText('Get started').count()).toBe(0)
  expect(panel.faults).toEqual([])
})
