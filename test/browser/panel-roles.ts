import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { choosePassword, type openPanel, poll, waitForAll } from '../helpers/panel.ts'

export type Role = 'marketer' | 'support' | 'analyst'

type Panel = Awaited<ReturnType<typeof openPanel>>

/** They wait for something to be typed or chosen, whoever looks. */
const waiting = ['Save changes', 'Add', 'Look up', 'Check recipients', 'Send…']

const controls = 'button, a, input, select, textarea, [role=menuitem], [role=option], [role=switch]'

async function readControls(page: Page): Promise<{ name: string; isDead: boolean }[]> {
  const menu = page.getByRole('main').getByRole('button', { name: 'More', exact: true }).first()
  if ((await menu.count()) > 0) {
    // One that is open hides its items while its button is out of sight.
    await menu.scrollIntoViewIfNeeded()
    if ((await menu.getAttribute('aria-expanded')) !== 'true') await menu.click()
    await page.getByRole('menuitem').first().waitFor()
  }
  return page.locator(controls).evaluateAll((found) =>
    found.map((each) => {
      const labels = 'labels' in each ? [...((each.labels ?? []) as NodeListOf<HTMLElement>)] : []
      const named =
        each.getAttribute('aria-label') ?? (labels.map((label) => label.textContent).join(' ') || each.textContent)
      const isDead = each.matches(':disabled, [data-disabled], [aria-disabled=true]')
      return { name: (named ?? '').trim(), isDead }
    }),
  )
}

/** What the members of a role see: the pages, and what is offered on them. */
export async function openRoles(panel: Panel) {
  const admin = await panel.open()
  const segment = await panel.call('POST', '/api/segments', {
    name: 'On phones',
    segment: { all: [{ name: 'deviceType', operator: 'include', value: ['android', 'ios'] }] },
  })
  await panel.call('POST', '/api/campaigns', { trackId: 'spring', name: 'Spring' })
  const sent = await panel.call('POST', '/api/push/toUsers', { user: 'user-1', content: 'Hello', trackId: 'spring' })
  await panel.call('POST', '/api/templates', { name: 'Hello', message: { content: 'Hello' } })
  const segmentPage = `/segments/${segment.body.id}`
  const messagePage = `/messages/${sent.body.id}`

  const pages = [
    ...[
      '/overview',
      '/send',
      '/messages',
      '/calendar',
      messagePage,
      '/campaigns',
      '/campaigns/spring',
      '/segments',
      segmentPage,
    ],
    ...['/users', '/users/user-1', '/users/user-1?tab=events', '/users/user-1?tab=messages', '/users/user-1?tab=codes'],
    ...['/events', '/events/ViewItem', '/channels', '/promo', '/uninstalls', '/phones', '/templates', '/settings/app'],
  ]

  /** What only some may do, and where it is offered to them. */
  const offers: [path: string, name: string | RegExp, roles: Role[]][] = [
    ['/overview', 'Send', ['marketer', 'support']],
    ['/overview', 'Settings', []],
    ['/send', 'Check recipients', ['marketer', 'support']],
    ['/messages', 'New message', ['marketer', 'support']],
    ['/messages', 'Stop all sending', ['marketer']],
    ['/calendar', 'New message', ['marketer', 'support']],
    ['/campaigns', 'New campaign', ['marketer']],
    ['/campaigns/spring', 'New message', ['marketer']],
    ['/templates', 'Use', ['marketer', 'support']],
    ['/templates', 'More about “Hello”', ['marketer']],
    ['/segments', 'New segment', ['marketer']],
    [segmentPage, 'Save changes', ['marketer']],
    [segmentPage, 'Send to this segment', ['marketer']],
    ['/users/user-1', 'Send to this user', ['marketer', 'support']],
    ['/users/user-1', /^Remove the tag/, ['marketer', 'support']],
    ['/users/user-1', /^Edit /, ['marketer', 'support']],
    ['/users/user-1', 'Delete all data', ['support']],
    ['/users/user-1', 'Download all data (JSON)', ['marketer', 'support', 'analyst']],
    ['/channels', 'Send to channel: news', ['marketer']],
    ['/uninstalls', 'Download CSV', ['marketer', 'support', 'analyst']],
    ['/phones', 'Add phone', ['marketer']],
    ['/phones', 'Online', ['marketer']],
    ['/phones', 'FCM', ['marketer']],
  ]

  const signIn = async (role: Role): Promise<Page> => {
    const email = `${role}@roles.example`
    const invited = await admin.evaluate(
      async (body) => {
        const headers = { 'content-type': 'application/json' }
        const answer = await fetch('/panel/api/apps/demo/members', {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        })
        return (await answer.json()) as { secret: string }
      },
      { email, role },
    )
    const page = await panel.openSignedOut()
    await page.goto(`${panel.demo.baseUrl}/panel/enter#${invited.secret}`)
    await choosePassword(page)
    await page.waitForURL('**/panel/demo/overview')
    return page
  }

  return {
    pages,
    pagesWithOffers: [...new Set(offers.map(([path]) => path))],
    /** Goes to the pages as a new member of the role, and expects what they may do there. Answers what was refused. */
    check: async (role: Role, paths: string[]): Promise<string[]> => {
      const page = await signIn(role)
      const refused: string[] = []
      page.on('response', (answer) => {
        if (answer.status() === 403) refused.push(`${answer.request().method()} ${answer.url()}`)
      })
      for (const path of paths) {
        await panel.visit(page, path)
        await waitForAll(page)
        expect([path, await page.getByText('Your role does not allow this').count()]).toEqual([path, 0])
        const ofPage = offers.filter(([where]) => where === path)
        await poll(async () => {
          const found = await readControls(page)
          const isThere = (name: string | RegExp) =>
            found.some((each) => (typeof name === 'string' ? each.name === name : name.test(each.name)))
          return {
            path,
            offered: ofPage.filter(([, name]) => isThere(name)).map(([, name]) => name),
            dead: found.filter(({ name, isDead }) => isDead && !waiting.includes(name)).map(({ name }) => name),
          }
        }).toEqual({
          path,
          offered: ofPage.filter(([, , roles]) => roles.includes(role)).map(([, name]) => name),
          dead: [],
        })
      }
      expect(panel.faults).toEqual([])
      return refused
    },
  }
}
