import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findBarriers, type openPanel, waitForAll } from '../helpers/panel.ts'
import { plantCanaries } from './panel-canaries.ts'

type Panel = Awaited<ReturnType<typeof openPanel>>

const lists = [
  '/overview',
  '/send',
  '/messages',
  '/calendar',
  '/campaigns',
  '/templates',
  '/segments',
  '/segments/new',
  '/users',
  '/events',
  '/channels',
  '/promo',
  '/uninstalls',
  '/phones',
]
const settings = [
  'app',
  'tokens',
  'keys',
  'identity',
  'providers',
  'sms',
  'rules',
  'webhooks',
  'retention',
  'images',
  'members',
  'audit',
]

/** Every page of the panel, with texts that would do harm wherever one can be. */
export async function plantEverywhere(panel: Panel): Promise<string[]> {
  return [...lists, ...(await plantCanaries(panel)), ...settings.map((tab) => `/settings/${tab}`)]
}

/** The rows of a table are drawn alike, and what is around a page is the same for all. */
const moreOfTheSame = ['tbody tr:nth-child(n+4)', 'header', 'nav']

/**
 * Goes to each of the pages, then into the account menu and a dialog. Answers what is in somebody's way there. A brief
 * walk looks at what repeats itself only on the first page.
 */
export async function walk(
  panel: Panel,
  page: Page,
  { paths, go, isBrief = false }: { paths: string[]; go: Panel['visit']; isBrief?: boolean },
): Promise<string[]> {
  const barriers: string[] = []
  let leftOut: string[] = []
  const look = async (place: string) => {
    barriers.push(...(await findBarriers(page, leftOut)).map((barrier) => `${place} ${barrier}`))
    if (isBrief) leftOut = moreOfTheSame
  }
  for (const path of paths) {
    await go(page, path)
    await waitForAll(page)
    await look(path)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (overflow > 1) barriers.push(`${path} is too wide by ${overflow} px`)
    expect(await page.evaluate(() => [window.hacked, window.refusedByPolicy]), path).toEqual([undefined, []])
  }
  await page.locator('header [aria-haspopup=menu]').last().click()
  await page.getByRole('menuitem').first().waitFor()
  await look('the account menu')
  await page.getByRole('menuitem').first().click()
  await page.getByRole('dialog').locator('input').first().waitFor()
  await look('a dialog')
  expect(panel.faults).toEqual([])
  return barriers
}
