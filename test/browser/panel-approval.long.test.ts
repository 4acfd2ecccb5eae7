import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { choosePassword, findBarriers, openPanel, poll } from '../helpers/panel.ts'

// The number above which sends wait is of the app: other tests of a shared one would meet it.
const panel = await openPanel({ isShared: false })

async function openAsMarketer(admin: Page): Promise<Page> {
  const secret = await admin.evaluate(async () => {
    const answer = await fetch('/panel/api/apps/demo/members', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'mina@shop.example', role: 'marketer' }),
    })
    return ((await answer.json()) as { secret: string }).secret
  })
  const page = await panel.openSignedOut()
  await page.goto(`${panel.demo.baseUrl}/panel/enter#${secret}`)
  await choosePassword(page)
  await page.waitForURL('**/panel/demo/overview')
  return page
}

async function ask(page: Page, title: string): Promise<string> {
  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  await panel.visit(page, '/send')
  await page.getByRole('radio', { name: 'Specific users' }).check()
  await field('users').fill('user-1')
  await field('notification.title').fill(title)
  await field('content').fill('Come and see')
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await page.getByRole('button', { name: /^Send to \d+ devices?…$/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Send this message?' })
  await dialog.getByText('need the approval of another member').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Ask for approval' }).click()
  await page.waitForURL(/\/approvals\/[0-9a-f-]{36}$/)
  await page.getByText('Waiting for approval by another member.').waitFor()
  return page.url().split('/').at(-1) as string
}

test('a send waits for another member, who approves or declines it', async () => {
  const admin = await panel.open()
  await panel.visit(admin, '/settings/rules')
  await admin.getByLabel('Devices that one member may send to alone').fill('0')
  expect(await findBarriers(admin)).toEqual([])
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await poll(async () => (await panel.call('GET', '/api/app')).body.approvalAbove).toBe(0)

  const marketer = await openAsMarketer(admin)
  await ask(marketer, 'Ten new books')
  await marketer.getByText('Another member has to approve it').waitFor()
  expect(await marketer.getByRole('button', { name: 'Approve…' }).count()).toBe(0)
  expect(await findBarriers(marketer)).toEqual([])
  await panel.visit(marketer, '/send')
  expect(await marketer.locator('[data-field="content"]').inputValue()).toBe('')

  await panel.load(admin, '/overview')
  await admin.getByText('A send waits for your approval').waitFor()
  expect(await findBarriers(admin)).toEqual([])
  await admin.getByRole('link', { name: 'Look at them' }).click()
  await admin.getByRole('table', { name: 'Sends that wait for approval' }).waitFor()
  expect(await findBarriers(admin)).toEqual([])
  await admin.getByRole('link', { name: 'Ten new books' }).click()
  await admin.getByText(/^mina@shop.example asked to send this/).waitFor()
  expect(await findBarriers(admin)).toEqual([])
  await admin.getByRole('button', { name: 'Approve…' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Approve this send?' })
  const count = /to (\d+) devices?/.exec((await dialog.textContent()) ?? '')?.[1] as string
  await dialog.getByRole('textbox').fill(count)
  await dialog.getByRole('button', { name: 'Approve and send' }).click()
  await admin.getByText(/approved it on/).waitFor()
  await admin.getByRole('link', { name: 'Open the message' }).click()
  await admin.waitForURL(/\/messages\/[0-9a-f-]{36}$/)
  await poll(() => admin.getByRole('heading', { name: 'Ten new books' }).count()).toBe(1)
  await admin.getByText('Approved by').waitFor()

  const second = await ask(marketer, 'Nine new books')
  await panel.visit(admin, `/approvals/${second}`)
  await admin.getByRole('button', { name: 'Decline…' }).click()
  await admin.getByLabel('Reason').fill('There are ten.')
  expect(await findBarriers(admin)).toEqual([])
  await admin.getByRole('dialog').getByRole('button', { name: 'Decline', exact: true }).click()
  await admin.getByText(/declined it on/).waitFor()
  await panel.load(marketer, `/approvals/${second}`)
  await marketer.getByText('There are ten.').waitFor()
  expect(await findBarriers(marketer)).toEqual([])

  const third = await ask(marketer, 'Eight new books')
  await marketer.getByRole('button', { name: 'Take back' }).click()
  await marketer.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
  await marketer.getByText(/took it back on/).waitFor()
  await panel.visit(admin, '/messages?kind=scheduled')
  await poll(() => admin.getByRole('table', { name: 'Sends that were decided lately' }).getByRole('row').count()).toBe(
    4,
  )

  await panel.visit(admin, '/settings/audit')
  for (const words of ['asked for approval of the send', 'approved the send', 'declined or took back the send'])
    await admin.getByText(words).first().waitFor()
  expect(third).not.toBe(second)
  expect(panel.faults).toEqual([])
})
