import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { type Percentiles, percentilesOf } from '../connections/percentiles.ts'
import type { RunningProcess } from '../measure/process.ts'
import { withBrowser } from '../panel/browser.ts'
import { signIn } from '../panel/sign-in.ts'
import type { PeykDatabase } from '../subjects/peyk.ts'

const segment = {
  all: [
    { name: 'deviceType', operator: 'equal_to', value: 'android' },
    { name: 'tags', operator: 'not_include', value: ['vip'] },
    { name: 'launchCount', operator: 'greater_equals', value: 5 },
  ],
}
const firstDigits = ['1', '2', '3', '4']
const patienceMs = 30_000
/** Between two keys of somebody who types fast. */
const betweenKeysMs = 150
const furtherDigits = ['1', '3', '5', '7', '9']

/**
 * The panel's segment builder: from each key of a number that is typed to the frame that shows its count and its funnel.
 * No number is typed twice, so that each is a new question. Undefined where there is no Chromium.
 */
export async function measureTyping(peyk: RunningProcess, database: PeykDatabase): Promise<Percentiles | undefined> {
  const id = await saveSegment(peyk, database)
  return withBrowser({ url: peyk.url, cookie: await signIn(database) }, async (context) => {
    const page = await context.newPage()
    await page.addInitScript({ content: watch })
    await page.goto(`${peyk.url}/panel/bench/segments/${id}`)
    const number = page.getByRole('textbox', { name: 'Value' }).last()
    await number.click()
    // The panel asks with every key once it has seen that answers come soon.
    await number.fill('6')
    await page.waitForSelector('[role=status][aria-busy=false]')
    const times: number[] = []
    for (const first of firstDigits) {
      await number.fill('')
      times.push(await press(page, first))
      for (const further of furtherDigits) {
        times.push(await press(page, further))
        await page.keyboard.press('Backspace')
        await sleep(betweenKeysMs)
      }
    }
    return percentilesOf(times)
  })
}

/** Runs in the page: when a key was pressed, and when the count was drawn that came of it. */
const watch = `
  globalThis.typed = { at: 0, shownMs: undefined }
  addEventListener('keydown', () => (typed = { at: performance.now(), shownMs: undefined }), true)
  let wasBusy = false
  new MutationObserver(() => {
    const isBusy = document.querySelector('[role=status][aria-busy=true]') !== null
    if (wasBusy && !isBusy) {
      const own = typed
      requestAnimationFrame(() => setTimeout(() => (own.shownMs = performance.now() - own.at)))
    }
    wasBusy = isBusy
  }).observe(document, { childList: true, subtree: true, attributes: true })`

async function press(page: Page, key: string): Promise<number> {
  await sleep(betweenKeysMs)
  await page.keyboard.press(key)
  const patienceUntil = performance.now() + patienceMs
  for (;;) {
    const shownMs = await page.evaluate<number | undefined>('typed.shownMs')
    if (shownMs !== undefined) return shownMs
    if (performance.now() > patienceUntil) throw new Error('The panel never showed the count of what was typed.')
    await sleep(20)
  }
}

async function saveSegment(peyk: RunningProcess, { token }: PeykDatabase): Promise<string> {
  const response = await fetch(`${peyk.url}/api/segments`, {
    method: 'POST',
    headers: { 'X-Access-Token': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: `typed at ${new Date().toISOString()}`, segment }),
  })
  if (response.status >= 300) throw new Error(`The segment was refused: ${await response.text()}`)
  return ((await response.json()) as { id: string }).id
}
