import { messageVariants } from '@peyk/contract'
import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel()
const userIds = Array.from({ length: 40 }, (_, index) => `tested-${index + 1}`)

async function registerUsers(): Promise<void> {
  for (const userId of userIds) {
    const made = await panel.call('POST', '/api/installations', { userId, deviceType: 'android' })
    expect(made.status, JSON.stringify(made.body)).toBe(200)
  }
}

test('two variants and a control group are composed, checked, sent and compared', async () => {
  await registerUsers()
  const page = await panel.open()
  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  const tab = (name: string) => page.getByRole('tab', { name })
  const preview = page.getByRole('region', { name: 'Preview' })
  await panel.visit(page, '/send')
  await page.getByRole('radio', { name: 'Specific users' }).check()
  await field('users').fill(userIds.join('\n'))
  await field('notification.title').fill('Sale')
  await field('content').fill('Everything must go')

  await page.getByRole('switch', { name: 'A/B test' }).check()
  await poll(() => tab('Variant B').getAttribute('aria-selected')).toBe('true')
  expect(await field('notification.title').inputValue()).toBe('Sale')
  await field('notification.title').fill('Half price')
  await preview.getByText('Half price').first().waitFor()
  await tab('Variant A').click()
  expect(await field('notification.title').inputValue()).toBe('Sale')
  await preview.getByText('Sale').first().waitFor()

  await field('variants[1].name').fill('half price')
  await field('variants[0].share').fill('70')
  expect(await field('variants[1].share').inputValue()).toBe('30')
  await page.getByRole('slider', { name: 'Share of variant A' }).press('ArrowLeft')
  expect(await field('variants[0].share').inputValue()).toBe('69')
  await page.getByRole('button', { name: 'Split evenly' }).click()
  expect(await field('variants[1].share').inputValue()).toBe('50')
  await field('control').fill('10')
  await field('goal.event').fill('Purchase')
  // The list of names that it opens is none that one goes into.
  await field('goal.event').blur()
  await poll(() => page.getByRole('listbox').count()).toBe(0)
  await page.getByRole('list', { name: 'How users are split' }).getByText('45%').first().waitFor()
  expect(await findBarriers(page)).toEqual([])

  await tab('Variant B').or(tab('Variant half price')).click()
  await field('content').fill('')
  await tab('Variant A').click()
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await page.getByText('Use 1 to 20 Latin letters').waitFor()
  await field('variants[1].name').fill('half')
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await poll(() => tab('Variant half').getAttribute('aria-selected')).toBe('true')
  await poll(() => page.locator(':focus').getAttribute('data-field')).toBe('content')
  await page.getByText('Write a text.').waitFor()
  await field('content').fill('Everything for half the price, {{ user.')
  await page.getByRole('combobox', { name: 'Add language' }).click()
  await page.getByPlaceholder('Search languages').fill('Persian')
  await page.getByRole('option', { name: 'Persian' }).click()
  await field('notification.title').fill('نیم‌بها')
  await tab('Variant A').click()
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await poll(() => tab('Variant half').getAttribute('aria-selected')).toBe('true')
  await poll(() => page.locator(':focus').getAttribute('data-field')).toBe('content')
  await field('content').fill('Everything for half the price')

  await page.reload()
  await tab('Variant half').click()
  expect(await field('content').inputValue()).toBe('Everything for half the price')
  await page.getByRole('button', { name: 'Check recipients' }).click()
  const planned = page.getByRole('heading', { name: 'Variants', exact: true }).locator('..')
  await poll(async () =>
    (await planned.getByRole('listitem').allTextContents()).map((text) => text.replace(/[\d,]+/g, '')),
  ).toEqual(['A', 'half', 'Control group gets nothing'])
  expect(await findBarriers(page)).toEqual([])

  await page.getByRole('button', { name: /^Send to [\d,]+ devices?…/ }).click()
  await page.getByText(/^Test: A: \d+, half: \d+, and \d+ in the control group get nothing\.$/).waitFor()
  await page.getByRole('button', { name: /devices? now$/ }).click()
  await page.waitForURL(/\/messages\/[0-9a-f-]{36}$/)
  await page.getByRole('heading', { name: 'Not enough data yet: at least 100 users per variant' }).waitFor()
  const id = page.url().split('/').at(-1)
  const { body: message } = await panel.call('GET', `/api/messages/${id}`)
  expect(message).toMatchObject({
    variants: [
      { name: 'A', share: 50 },
      { name: 'half', share: 50, content: 'Everything for half the price', notification: { title: 'Half price' } },
    ],
    control: 10,
    goal: { event: 'Purchase', within: '12h' },
  })
  expect(message.variants[1].contents).toEqual({ fa: { notification: { title: 'نیم‌بها' } } })
  await poll(async () => {
    const { body } = await panel.call('GET', `/api/messages/${id}/variants`)
    return body.variants
      .concat(body.control)
      .reduce((sum: number, { assigned }: { assigned: number }) => sum + assigned, 0)
  }).toBe(userIds.length)
  await page.getByLabel('Variants').selectOption('half')
  await page.getByText('Half price').first().waitFor()
  expect(await findBarriers(page)).toEqual([])

  await panel.visit(page, `/send?from=${id}`)
  await tab('Variant half').click()
  expect(await field('notification.title').inputValue()).toBe('Half price')
  expect(await field('control').inputValue()).toBe('10')
  expect(panel.faults).toEqual([])
})

test('a winner is set with all that decides it', async () => {
  const page = await panel.open()
  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  await panel.visit(page, '/send')
  await page.getByRole('radio', { name: 'Specific users' }).check()
  await field('users').fill('user-1')
  await field('content').fill('Hello')
  await page.getByRole('switch', { name: 'A/B test' }).check()
  await field('content').fill('Hi')
  await page.getByRole('switch', { name: 'Send the winner to everyone else' }).check()
  await field('winner.after').fill('')
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await page.getByText('Enter how long.').waitFor()
  await field('winner.after').fill('100')
  await page.getByLabel('Decide after: unit').selectOption('days')
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await poll(() => page.locator(':focus').getAttribute('data-field')).toBe('winner.after')
  await page
    .getByText(/Expected less than the ttl/i)
    .first()
    .waitFor()
  await field('winner.after').fill('1')
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await page.getByText(/in the test; the other/).waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(panel.faults).toEqual([])
})

test.for([
  { language: 'en', scheme: 'light', width: 1280 },
  { language: 'fa', scheme: 'dark', width: 390 },
] as const)('rates, intervals and the winner are drawn and said: $language, $scheme, $width wide', async (look) => {
  const [userId = ''] = userIds
  const variants = [
    { name: 'A', content: 'One' },
    { name: 'B', content: 'Two' },
  ]
  const { body: sent } = await panel.call('POST', '/api/push/toUsers', {
    users: [userId],
    content: 'One',
    variants,
    control: 10,
  })
  const page = await panel.open(look)
  const { answer } = messageVariants.example as { answer: { id: string } }
  await page.route(`**/apps/*/messages/${sent.id}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), test: { ...answer, id: sent.id } } })
  })
  await page.route('**/live?**', (route) => route.abort())
  await panel.visit(page, `/messages/${sent.id}`)
  await page.locator('[data-tested="B"]').getByRole('img').waitFor()
  await page.locator('[data-winner="decided"]').waitFor()
  expect(await page.locator('[data-tested]').count()).toBe(3)
  expect(await findBarriers(page)).toEqual([])
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  expect(isWide).toBe(false)
  expect(panel.faults).toEqual([])
})
