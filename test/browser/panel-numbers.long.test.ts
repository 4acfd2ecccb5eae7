import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPanel, poll } from '../helpers/panel.ts'
import { until } from '../helpers/runner/until.ts'

const panel = await openPanel({ isShared: false })
const trackId = 'numbers'
const people = Array.from({ length: 80 }, (_, index) => `counted-${index}`)

interface Step {
  states: Record<string, number>
  settled: number
}

/** What the API said, and on which side of a moment that was. */
interface Sample extends Step {
  begunAt: number
  endedAt: number
}

interface MessageFigures {
  at: number
  status: string
  verdict: string
  steps: Record<string, number>
  notes: string
  opensTitle: string
  bars: number[][]
  variants: Record<string, number[]>
  winner: string | undefined
  title: string
  progress: [number, number] | undefined
}

async function call(method: string, path: string, body?: object) {
  const answer = await panel.call(method, path, body)
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200)
  return answer.body
}

async function inParts<T>(all: readonly T[], work: (each: T) => Promise<unknown>): Promise<void> {
  const rest = all.values()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const each of rest) await work(each)
    }),
  )
}

/** Everything the page says, in one look: between two looks it moves. */
function readMessagePage(): MessageFigures | undefined {
  const counted = document.querySelector('[data-counted]')
  if (!counted || !document.querySelector('[data-step]')) return undefined
  const number = (text: string | null | undefined) =>
    Number((text ?? '').replaceAll(',', '').match(/-?\d+/)?.[0] ?? Number.NaN)
  const section = (heading: RegExp) =>
    [...document.querySelectorAll('section')].find((each) =>
      heading.test(each.querySelector('h2,h3')?.textContent ?? ''),
    )
  const rows = (table: Element | null | undefined) =>
    [...(table?.querySelectorAll('tbody tr') ?? [])].map((row) =>
      [...row.children].map((cell) => cell.textContent ?? ''),
    )
  const test = document.querySelector('[data-tested]')?.closest('section')
  const opens = section(/^(Not opened yet|Opened on|Half of the opens)/)
  const progress = [...document.querySelectorAll('main p')]
    .map((each) => each.textContent?.match(/^([\d,]+) of ([\d,]+)$/))
    .find((each) => each)
  return {
    at: Number(counted.getAttribute('data-counted')),
    status: document.querySelector('main [class*=Badge]')?.textContent ?? '',
    verdict: document.querySelector('[data-verdict]')?.textContent ?? '',
    steps: Object.fromEntries(
      [...document.querySelectorAll('[data-step]')].map((step) => [
        step.getAttribute('data-step') ?? '',
        number(step.children[1]?.textContent),
      ]),
    ),
    notes: [...document.querySelectorAll('[data-step]')].map((step) => step.textContent).join(' '),
    opensTitle: opens?.querySelector('h2,h3')?.textContent ?? '',
    bars: rows(opens?.querySelector('table')).map((cells) => cells.slice(1).map((cell) => number(cell))),
    variants: Object.fromEntries(
      rows(test?.querySelector('table')).map(([name = '', ...counts]) => [name, counts.map((count) => number(count))]),
    ),
    winner: document.querySelector('[data-winner]')?.getAttribute('data-winner') ?? undefined,
    title: test?.querySelector('h2,h3')?.textContent ?? '',
    progress: progress ? [number(progress[1]), number(progress[2])] : undefined,
  }
}

/** Numbers that cannot all be true together. */
function findContradictions(page: MessageFigures): string[] {
  const { steps, bars, variants, opensTitle, verdict, title, winner, notes } = page
  const { accepted = 0, sent = 0, delivered = 0, shown = 0, opened = 0 } = steps
  const found: string[] = []
  const check = (isTrue: boolean, what: string) => {
    if (!isTrue) found.push(`${what}: ${JSON.stringify(page)}`)
  }
  check(accepted >= sent && sent >= delivered && delivered >= shown && shown >= opened, 'the funnel grows')
  check(/^Not opened/.test(opensTitle) === (opened === 0), 'the chart of opens has another number than the funnel')
  const titled = opensTitle.match(/^Opened on ([\d,]+|one)/)?.[1]
  if (titled) check((titled === 'one' ? 1 : Number(titled.replaceAll(',', ''))) === opened, 'the title of the opens')
  check(bars.flat().reduce((sum, count) => sum + count, 0) === opened, 'bars of opens do not add up to the funnel')
  if (/nobody (has )?opened it/.test(verdict)) check(opened === 0, 'nobody opened it')
  if (/none (has )?confirmed/.test(verdict)) check(delivered === 0, 'none confirmed it')
  const inSentence = verdict.match(/sent to (?:all )?([\d,]+)/i)?.[1]
  if (inSentence)
    check(Number(inSentence.replaceAll(',', '')) === sent, 'the sentence has another number than the funnel')
  const { All: all, 'Control group': _, ...each } = variants
  const groups = Object.values(each)
  if (all) {
    for (const [column, total] of all.entries())
      check(
        groups.reduce((sum, counts) => sum + (counts[column] ?? 0), 0) === total,
        `column ${column} of the variants`,
      )
  }
  for (const [, handedOver = 0, seen = 0, open = 0] of groups) {
    check(handedOver >= open && seen >= open, 'a variant was opened by more users than it was sent to')
    check(handedOver <= accepted, 'a variant was sent to more users than there are devices')
  }
  // Each user has one device here.
  const users = (column: number) => groups.reduce((sum, counts) => sum + (counts[column] ?? 0), 0)
  const dismissed = Number(notes.match(/([\d,]+)[^a-z]*dismissed/)?.[1]?.replaceAll(',', '') ?? 0)
  check(users(3) <= opened + dismissed, 'users opened it on no device')
  if (winner !== 'decided') check(!/won$/.test(title), 'a winner before the decision')
  else check(/^(. won|No winner)/.test(title), 'no winner after the decision')
  if (page.progress) check(page.progress[0] <= page.progress[1] && page.progress[1] === accepted, 'progress')
  const missing = notes.match(/([\d,]+) (?:waiting for confirmation|sent, not confirmed)/)?.[1]
  if (missing) check(Number(missing.replaceAll(',', '')) === sent - delivered, 'unconfirmed devices')
  return found
}

/** Counts only grow: what a page shows of a moment lies between what the API said before and after it. */
function compareAt<S extends { begunAt: number; endedAt: number }>(
  { at, ...figures }: { at: number } & Record<string, number>,
  samples: readonly S[],
  of: Record<string, (sample: S) => number>,
): string[] {
  const before = samples.findLast(({ endedAt }) => endedAt < at)
  const after = samples.find(({ begunAt }) => begunAt > at)
  return Object.entries(figures).flatMap(([name, value]) => {
    const read = of[name]
    const least = before && read ? read(before) : 0
    const most = after && read ? read(after) : Number.POSITIVE_INFINITY
    return value >= least && value <= most ? [] : [`${name}: ${value} is not between ${least} and ${most}`]
  })
}

const openedOf = ({ states }: Step) => (states.opened ?? 0) + (states.acted ?? 0)
const countsOf = {
  sent: ({ states }: Step) => states.sent ?? 0,
  delivered: ({ states }: Step) => states.delivered ?? 0,
  shown: ({ states }: Step) => states.shown ?? 0,
  opened: openedOf,
  settled: ({ settled }: Step) => settled,
}

function compareWithApi({ at, steps, progress }: MessageFigures, samples: readonly Sample[]): string[] {
  const { accepted: _, ...counted } = steps
  return compareAt({ at, ...counted, ...(progress && { settled: progress[0] }) }, samples, countsOf)
}

async function addPeople(): Promise<string[]> {
  const ids: string[] = []
  const { body: issued } = await panel.simulator('POST', '/tokens', { provider: 'fcm', count: people.length })
  const tokens: string[] = issued.tokens
  await inParts([...people.entries()], async ([index, userId]) => {
    const { id } = await call('POST', '/api/installations', { userId, deviceType: 'android' })
    await call('PUT', `/api/installations/${id}`, { deviceToken: tokens[index], tokenStatus: 'ALLOWED' })
    ids[index] = id
  })
  return ids
}

/** Devices that confirm, show, open and dismiss what they got, a few at a time until told to stop. */
async function useDevices(id: string, devices: readonly string[], isOver: () => boolean): Promise<void> {
  const kinds = ['DELIVERED', 'SHOWN', 'OPENED', 'DISMISSED', 'ACTION_TAKEN'] as const
  for (let turn = 0; !isOver(); turn++) {
    const installationId = devices[Math.floor(Math.random() * devices.length)]
    const actionType = kinds[turn % kinds.length]
    await panel.call('POST', '/api/installations/events', {
      installationId,
      sessionId: 's',
      eventData: [{ type: 1, actionType, msgId: id, ...(actionType === 'ACTION_TAKEN' && { actionId: 'buy' }) }],
    })
  }
}

async function showOpensAsTable(page: Page): Promise<void> {
  const opens = page.locator('section', { has: page.getByRole('heading', { name: /^(Not opened yet|Opened on)/ }) })
  const button = opens.getByRole('button', { name: 'Show as a table' })
  if (await button.count()) await button.click()
}

test('all numbers of the results pages agree with each other and with the API while a message is sent', async () => {
  const devices = await addPeople()
  await call('POST', '/api/campaigns', { trackId, name: 'Numbers' })
  const page = await panel.open()
  const campaign = await panel.open()
  const overview = await panel.open()
  const lists = await panel.open()
  const base = (await until(
    () => overview.evaluate(readOverviewPage),
    (read) => read !== undefined,
  )) as OverviewFigures
  await call('POST', '/api/push/toUsers', { users: people.slice(0, 30), content: 'Before', trackId })
  const { id, count } = await call('POST', '/api/push/byQuery', {
    segment: { all: [{ name: 'userId', operator: 'include', value: people }] },
    content: 'Sale',
    notification: { title: 'Sale', actions: [{ id: 'buy', title: 'Buy' }] },
    trackId,
    throttle: { perMinute: 160 },
    variants: [
      { name: 'A', content: 'One' },
      { name: 'B', content: 'Two' },
    ],
    winner: { by: 'opened', after: '3s', testShare: 50 },
  })
  expect(count).toBe(people.length)
  await panel.visit(page, `/messages/${id}`)
  await panel.visit(campaign, `/campaigns/${trackId}`)

  const samples: Sample[] = []
  const sums: Sample[] = []
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      const begunAt = Date.now()
      const { states, progress } = await call('GET', `/api/messages/${id}`)
      const between = Date.now()
      samples.push({ begunAt, endedAt: between, states, settled: progress.settled })
      const { states: all } = await call('GET', `/api/campaigns/${trackId}`)
      sums.push({ begunAt: between, endedAt: Date.now(), states: all, settled: 0 })
    }
  })()
  const using = useDevices(id, devices, () => isOver)
  const seen: MessageFigures[] = []
  const campaigns: CampaignFigures[] = []
  const overviews: OverviewFigures[] = []
  const wrong: string[] = []
  const isFinished = async () => {
    const { progress } = await call('GET', `/api/messages/${id}`)
    return progress.waiting === 0
  }
  const look = async () => {
    await showOpensAsTable(page)
    const figures = await page.evaluate(readMessagePage)
    if (figures) seen.push(figures)
    wrong.push(...(figures ? findContradictions(figures) : []))
    const summed = await campaign.evaluate(readCampaignPage)
    if (summed) campaigns.push(summed)
    wrong.push(...(summed ? findCampaignContradictions(summed) : []))
    const all = await overview.evaluate(readOverviewPage)
    if (all) overviews.push(all)
    wrong.push(...(all ? findOverviewContradictions(all) : []))
    wrong.push(...(await lookAtLists(lists, id)))
  }
  try {
    while (!(await isFinished())) await look()
    await poll(() => page.locator('[data-winner]').getAttribute('data-winner')).toBe('decided')
    await look()
  } finally {
    isOver = true
    await Promise.all([asking, using])
  }
  expect(wrong).toEqual([])
  expect(seen.flatMap((figures) => compareWithApi(figures, samples))).toEqual([])
  const ofCampaign = ({ at, steps: { accepted: _, ...steps } }: CampaignFigures) =>
    compareAt({ at, ...steps }, sums, countsOf)
  expect(campaigns.flatMap(ofCampaign)).toEqual([])
  const ofOverview = ({ at, cards: { sent, delivered, opened }, sending }: OverviewFigures) => [
    ...compareAt(
      {
        at,
        sent: sent - base.cards.sent,
        delivered: delivered - base.cards.delivered,
        opened: opened - base.cards.opened,
      },
      sums,
      countsOf,
    ),
    ...sending.flatMap(([settled, total]) => [
      ...compareAt({ at, settled }, samples, countsOf),
      ...(total === count ? [] : [`sending now: ${total} of ${count}`]),
    ]),
  ]
  expect(overviews.flatMap(ofOverview)).toEqual([])
  // Each kind of number was on the page: what is not found cannot contradict anything.
  const last = seen.at(-1)
  expect([last?.bars.length, Object.keys(last?.variants ?? {}).sort(), last?.opensTitle]).toEqual([
    expect.any(Number),
    ['A', 'All', 'B'],
    expect.stringMatching(/^Opened on \d+ devices$/),
  ])
  expect(last?.bars.length).toBeGreaterThan(0)
  expect(seen.some(({ progress }) => progress !== undefined)).toBe(true)
  const moments = new Set(seen.map(({ at }) => at))
  expect(moments.size).toBeGreaterThan(3)
  expect(new Set(campaigns.map(({ at }) => at)).size).toBeGreaterThan(3)
  expect(new Set(overviews.map(({ at }) => at)).size).toBeGreaterThan(3)
  expect(overviews.some(({ sending }) => sending.length > 0)).toBe(true)
  expect(seen.some(({ steps }) => (steps.opened ?? 0) > 0 && (steps.sent ?? 0) < people.length)).toBe(true)

  // When nothing moves any more, the page says exactly what the API says.
  const { states } = await call('GET', `/api/messages/${id}`)
  await poll(async () => (await page.evaluate(readMessagePage))?.steps).toEqual({
    ...{ accepted: people.length, sent: states.sent, delivered: states.delivered, shown: states.shown },
    opened: states.opened + states.acted,
  })
  const { variants } = await call('GET', `/api/messages/${id}/variants`)
  const final = await page.evaluate(readMessagePage)
  for (const { name, assigned, handedOver, shown, opened, acted, dismissed } of variants)
    expect(final?.variants[name]).toEqual([assigned, handedOver, shown, opened, acted, dismissed])
  const total = await call('GET', `/api/campaigns/${trackId}`)
  const stepOf = async (name: string) =>
    Number((await campaign.locator(`[data-step=${name}] > *`).nth(1).textContent())?.replaceAll(',', ''))
  for (const [name, value] of Object.entries({
    ...{ accepted: total.count, sent: total.states.sent, delivered: total.states.delivered },
    opened: total.states.opened + total.states.acted,
  }))
    await poll(() => stepOf(name)).toBe(value)
  // Everybody has one device, and thirty of them got both messages.
  await campaign.getByText(`sent to ${people.length} devices of ${people.length} users`).waitFor()
  expect(total.count).toBe(people.length + 30)
  const opened = total.states.opened + total.states.acted
  const { sent, delivered } = total.states
  await poll(async () => (await overview.evaluate(readOverviewPage))?.cards).toEqual({
    ...{ sent: base.cards.sent + sent, delivered: base.cards.delivered + delivered },
    opened: base.cards.opened + opened,
  })
  await panel.visit(lists, '/messages')
  await poll(async () => (await lists.evaluate(readMessageRow, id))?.delivered).toBe(states.delivered)
  await poll(async () => (await lists.evaluate(readMessageRow, id))?.opened).toBe(states.opened + states.acted)
  await panel.visit(lists, '/campaigns')
  const share = Math.round((1000 * opened) / delivered) / 10
  await poll(async () => (await lists.evaluate(readCampaignRow, trackId))?.openedShare).toBe(share)
  expect(panel.faults).toEqual([])
})

interface CampaignFigures {
  at: number
  steps: Record<string, number>
  verdict: string
  /** Deliveries, devices and users. */
  reached: number[]
  /** Delivered and opened, of each message. */
  lines: [delivered: number, opened: number][]
}

function readCampaignPage(): CampaignFigures | undefined {
  const counted = document.querySelector('main [data-counted]')
  if (!counted || !document.querySelector('[data-step]')) return undefined
  const numbers = (text: string | null | undefined) =>
    [...(text ?? '').matchAll(/\d[\d,]*(?![\d.]*%)/g)].map(([found]) => Number(found.replaceAll(',', '')))
  const cell = (row: Element, column: number) =>
    Number(row.children[column]?.querySelector('p:last-child')?.textContent)
  return {
    at: Number(counted.getAttribute('data-counted')),
    steps: Object.fromEntries(
      [...document.querySelectorAll('[data-step]')].map((step) => [
        step.getAttribute('data-step') ?? '',
        numbers(step.children[1]?.textContent)[0] ?? Number.NaN,
      ]),
    ),
    verdict: document.querySelector('[data-verdict]')?.textContent ?? '',
    reached: numbers((counted.textContent ?? '').match(/sent to [\d,]+ devices? of [\d,]+ users?/)?.[0]),
    lines: [...document.querySelectorAll('table[aria-label=Messages] tbody tr')].map((row) => [
      cell(row, 3),
      cell(row, 4),
    ]),
  }
}

/** The sums of a campaign are those of the messages under them. */
function findCampaignContradictions(figures: CampaignFigures): string[] {
  const { steps, verdict, reached, lines } = figures
  const { accepted = 0, sent = 0, delivered = 0, opened = 0 } = steps
  const found: string[] = []
  const check = (isTrue: boolean, what: string) => {
    if (!isTrue) found.push(`campaign, ${what}: ${JSON.stringify(figures)}`)
  }
  const said = verdict.match(/^([\d,]+) of ([\d,]+) deliveries/)
  if (said) {
    const [, of, all] = said.map((text) => Number(text.replaceAll(',', '')))
    check(of === sent && all === accepted, 'the sentence')
  }
  check(accepted >= sent && sent >= delivered && delivered >= opened, 'the funnel grows')
  const [devices = 0, users = 0] = reached
  check(devices <= sent && users <= devices, 'reached')
  check(lines.length > 0, 'no messages')
  check(lines.reduce((sum, [each]) => sum + each, 0) === delivered, 'delivered of its messages')
  check(lines.reduce((sum, [, each]) => sum + each, 0) === opened, 'opened of its messages')
  return found
}

interface OverviewFigures {
  at: number
  cards: { sent: number; delivered: number; opened: number }
  deliveredShare: number
  openedShare: number
  sentCard: number
  openedCard: number
  sending: [settled: number, total: number][]
}

function readOverviewPage(): OverviewFigures | undefined {
  const counted = document.querySelector('main [data-counted]')
  const number = (text: string | null | undefined) => Number((text ?? '').replaceAll(',', '').match(/\d+(\.\d+)?/)?.[0])
  /** The texts of a card, its value first. */
  const card = (label: string) => {
    const leaves = (within: Element) =>
      [...within.querySelectorAll('*')].filter(({ children }) => children.length === 0)
    const found = leaves(document.body).find((each) => each.textContent === label)
    const texts = leaves(found?.closest('section') ?? document.body).map((each) => each.textContent ?? '')
    return texts.slice(texts.indexOf(label) + 1).filter((text) => text !== '')
  }
  const table = [...document.querySelectorAll('main table')].find((each) =>
    /Sent.*Delivered.*Opened/.test(each.querySelector('thead')?.textContent ?? ''),
  )
  if (!counted || !table) return undefined
  const names = [...table.querySelectorAll('thead th')].map((each) => each.textContent)
  const sum = (name: string) =>
    [...table.querySelectorAll('tbody tr')].reduce(
      (all, row) => all + number(row.children[names.indexOf(name)]?.textContent),
      0,
    )
  return {
    at: Number(counted.getAttribute('data-counted')),
    cards: { sent: sum('Sent'), delivered: sum('Delivered'), opened: sum('Opened') },
    deliveredShare: number(card('Sent').find((text) => text.endsWith('% delivered'))),
    openedShare: number(card('Opened').find((text) => text.endsWith('% of delivered'))),
    sentCard: number(card('Sent')[0]),
    openedCard: number(card('Opened')[0]),
    sending: [...document.querySelectorAll('main p')].flatMap((each) => {
      const found = each.textContent?.match(/^([\d,]+) of ([\d,]+)(?: ·|$)/)
      return found ? [[number(found[1]), number(found[2])] as [number, number]] : []
    }),
  }
}

/** The cards are the sums of the chart under them. */
function findOverviewContradictions(figures: OverviewFigures): string[] {
  const { cards, sentCard, openedCard, deliveredShare, openedShare, sending } = figures
  const isShare = (said: number, part: number, whole: number) => Math.abs(said - (100 * part) / whole) < 0.051
  const isTrue =
    sentCard === cards.sent &&
    openedCard === cards.opened &&
    isShare(deliveredShare, cards.delivered, cards.sent) &&
    isShare(openedShare, cards.opened, cards.delivered) &&
    sending.every(([settled, total]) => settled <= total)
  return isTrue ? [] : [`overview: ${JSON.stringify(figures)}`]
}

interface MessageRow {
  count: number
  delivered: number
  opened: number
  openedShare: number
  progress: number[] | undefined
}

function readMessageRow(id: string): MessageRow | undefined {
  const row = document.querySelector(`table[aria-label=Messages] a[href$="/messages/${id}"]`)?.closest('tr')
  if (!row) return undefined
  const number = (text: string | null | undefined) => Number((text ?? '').replaceAll(',', '').match(/\d+(\.\d+)?/)?.[0])
  const last = (column: number) => number(row.children[column]?.querySelector('p:last-child')?.textContent)
  return {
    count: number(row.children[1]?.textContent?.match(/([\d,]+) devices?/)?.[1]),
    delivered: last(3),
    opened: last(4),
    openedShare: number(row.children[4]?.querySelector('p')?.textContent),
    progress: row.children[2]?.textContent
      ?.match(/([\d,]+) of ([\d,]+)/)
      ?.slice(1)
      .map((text) => number(text)),
  }
}

function readCampaignRow(trackId: string): { messages: number; count: number; openedShare: number } | undefined {
  const row = document.querySelector(`table[aria-label=Campaigns] a[href$="/campaigns/${trackId}"]`)?.closest('tr')
  if (!row) return undefined
  const number = (column: number) =>
    Number((row.children[column]?.textContent ?? '').replaceAll(',', '').replace('%', ''))
  return { messages: number(1), count: number(2), openedShare: number(3) }
}

/** The numbers of a row belong together, and are no later than what the API says afterwards. */
async function lookAtLists(page: Page, id: string): Promise<string[]> {
  await panel.visit(page, '/messages')
  const row = await page.evaluate(readMessageRow, id)
  const { states, progress } = await call('GET', `/api/messages/${id}`)
  await panel.visit(page, '/campaigns')
  const campaign = await page.evaluate(readCampaignRow, trackId)
  if (!row) return []
  const { delivered, opened, openedShare, count, progress: [settled = 0, total = count] = [] } = row
  const isTrue =
    [count, total].every((each) => each === people.length) &&
    (delivered === 0 || Math.abs(openedShare - (100 * opened) / delivered) < 0.051) &&
    opened <= delivered &&
    delivered <= states.delivered &&
    opened <= openedOf({ states, settled: 0 }) &&
    settled <= progress.settled &&
    (!campaign || (campaign.messages === 2 && campaign.count === people.length + 30))
  return isTrue ? [] : [`lists: ${JSON.stringify({ row, campaign, states, progress })}`]
}
