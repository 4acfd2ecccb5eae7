import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { choosePassword, findBarriers, openPanel, poll } from '../helpers/panel.ts'

// The number above which sends wait is of the app: other tests of a shared one would meet it.
const panel = await openPanel({ isShared: false })

async function openAsMarketer(admin: Page, email: string): Promise<Page> {
  const secret = await admin.evaluate(async (invited) => {
    const answer = await fetch('/panel/api/apps/demo/members', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: invited, role: 'marketer' }),
    })
    return ((await answer.json()) as { secret: string }).secret
  }, email)
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
  await dialog.getByText('needs the approval of another member').waitFor()
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

  const marketer = await openAsMarketer(admin, 'mina@shop.example')
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

test('an approval covers what was seen, of a group later on, and not another time', async () => {
  const admin = await panel.open()
  await panel.call('PUT', '/api/app', { approvalAbove: 1000 })
  const marketer = await openAsMarketer(admin, 'lena@shop.example')
  const asked = await marketer.evaluate(async () => {
    const answer = await fetch('/panel/api/apps/demo/send', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        product: 'message',
        content: 'Come and see',
        useAsAlert: false,
        notification: { title: 'Blue books', clickUrl: 'https://shop.example/blue' },
        segment: { all: [{ name: 'deviceType', operator: 'equal_to', value: 'tizen' }] },
        sendAt: Date.now() + 86_400_000,
        confirmed: 0,
      }),
    })
    return (await answer.json()) as { id: string; approval: string }
  })
  expect(asked).toMatchObject({ approval: 'waiting' })

  const path = `**/panel/api/apps/demo/approvals/${asked.id}`
  await panel.visit(admin, `/approvals/${asked.id}`)
  await admin.getByText('https://shop.example/blue').waitFor()
  await admin.getByText('The audience is looked up when it is sent').waitFor()
  expect(await findBarriers(admin)).toEqual([])
  // The page asks again every ten seconds; here it does not see the change in time.
  const stale = await admin.evaluate(
    async (url) => (await fetch(url)).text(),
    `/panel/api/apps/demo/approvals/${asked.id}`,
  )
  await admin.route(path, (route) => route.fulfill({ contentType: 'application/json', body: stale }))
  await panel.call('PUT', '/api/app', { defaultNotificationText: 'Another text of the app' })
  const approve = async (page: Page, label: string) => {
    await page.getByRole('button', { name: 'Approve…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Approve this send?' })
    await dialog.getByRole('textbox').fill('0')
    await dialog.getByRole('button', { name: label }).click()
  }
  await approve(admin, 'Approve and schedule')
  await admin.getByText('This has changed since you opened it.').waitFor()
  await admin.unroute(path)
  await admin.getByText('This has changed since it was asked for').waitFor()
  await poll(() => admin.getByText('Another text of the app').count()).toBeGreaterThan(0)
  await admin.getByText('Come and see').waitFor()
  expect(await findBarriers(admin)).toEqual([])
  await approve(admin, 'Approve and schedule')
  await admin.getByText(/approved it on/).waitFor()

  await admin.getByRole('link', { name: 'Open the message' }).click()
  await admin.getByRole('button', { name: 'Change time' }).click()
  const dialog = admin.getByRole('dialog', { name: 'When should it go?' })
  await dialog.getByLabel('Date and time').fill(localTime(26))
  await dialog.getByRole('button', { name: 'Save time' }).click()
  await admin.waitForURL(/\/approvals\/[0-9a-f-]{36}$/)
  await admin.getByText('Without approval it is still sent').waitFor()
  expect(await findBarriers(admin)).toEqual([])
  const move = admin.url().split('/').at(-1) as string
  await panel.visit(marketer, `/approvals/${move}`)
  await marketer.getByText(/asked to move this/).waitFor()
  await approve(marketer, 'Approve and move')
  await marketer.getByText(/approved it on/).waitFor()
  await panel.visit(admin, '/settings/audit')
  await admin.getByText('asked for approval to move the message').first().waitFor()
  expect(panel.faults).toEqual([])
})

/** A text for each place of a message that its recipients can see, or that changes when and how they get it. */
const everything = {
  ...{ content: 'text-plain', data: { key: 'data-plain' }, category: 'news', quietHours: 'ignore', whenCapped: 'wait' },
  notification: {
    ...{ title: 'title-plain', body: 'body-plain', clickUrl: 'https://click-plain.example' },
    ...{ mediaUrl: 'https://media-plain.example/a.png', icon: 'https://icon-plain.example/a.png' },
    actions: [{ id: 'one', title: 'button-plain', url: 'https://button-plain.example' }],
  },
  fallback: { content: 'sms-plain https://sms-plain.example', delay: 600 },
  contents: {
    fa: {
      ...{ content: 'text-fa', data: { key: 'data-fa' }, fallback: { content: 'sms-fa' } },
      notification: { title: 'title-fa', body: 'body-fa', clickUrl: 'https://click-fa.example' },
    },
  },
  variants: ['A', 'B'].map((name) => ({
    ...{ name, data: { key: `data-${name}` }, fallback: { content: `sms-${name}` } },
    notification: { title: `title-${name}`, body: `body-${name}`, clickUrl: `https://click-${name}.example` },
    contents: { fa: { notification: { title: `title-${name}-fa` }, fallback: { content: `sms-${name}-fa` } } },
  })),
  ...{ throttle: { perMinute: 1234 }, ttl: 7200 },
}

test('whoever approves sees all that a message says, in every language and variant', async () => {
  const admin = await panel.open()
  await panel.call('POST', '/api/categories', { id: 'news', name: { en: 'News' } })
  await panel.call('PUT', '/api/app', { approvalAbove: 0 })
  const marketer = await openAsMarketer(admin, 'nora@shop.example')
  const { id } = await marketer.evaluate(
    async (message) => {
      const answer = await fetch('/panel/api/apps/demo/send', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ product: 'message', users: ['user-1'], confirmed: 1000, ...message }),
      })
      return (await answer.json()) as { id: string }
    },
    { ...everything, sendAt: Date.now() + 86_400_000 },
  )
  await panel.visit(admin, `/approvals/${id}`)
  const preview = admin.locator('section', { has: admin.getByRole('heading', { name: 'Preview' }) })
  const [variants, languages] = [preview.locator('select').nth(0), preview.locator('select').nth(1)]
  const choicesOf = (select: Locator) =>
    select.locator('option').evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value))
  await languages.waitFor()
  let seen = ''
  for (const variant of await choicesOf(variants))
    for (const language of await choicesOf(languages)) {
      await variants.selectOption(variant)
      await languages.selectOption(language)
      seen += await admin.locator('main').textContent()
    }
  const said = JSON.stringify(everything).match(/[a-z]+-(?:plain|fa|A|B)(?:-fa)?(?=[ ."])/g) ?? []
  // Each variant has a notification of its own: nobody is shown the plain one.
  const shown = [...new Set(said)].filter((text) => !/^(title|body)-(plain|fa)$/.test(text))
  expect(shown.length).toBeGreaterThan(20)
  expect(shown.filter((text) => !seen.includes(text))).toEqual([])
  for (const words of [
    '1,234 devices per minute',
    '2 hours after it is sent',
    'also during quiet hours',
    'After 10 minutes',
  ])
    expect(seen).toContain(words)
  expect(await findBarriers(admin)).toEqual([])
  expect(panel.faults).toEqual([])
})

function localTime(hoursAhead: number): string {
  const at = new Date(Date.now() + hoursAhead * 3_600_000)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
