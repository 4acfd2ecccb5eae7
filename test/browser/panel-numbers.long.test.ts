import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPanel, poll } from '../helpers/panel.ts'
import { isThorough } from '../helpers/runner/effort.ts'

const panel = await openPanel({ isShared: false })
const trackId = 'numbers'
const people = Array.from({ length: isThorough ? 240 : 60 }, (_, index) => `counted-${index}`)

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

/** Counts only grow: what the page shows of a moment lies between what the API said before and after it. */
function compareWithApi(page: MessageFigures, samples: readonly Sample[]): string[] {
  const before = samples.findLast(({ endedAt }) => endedAt < page.at)
  const after = samples.find(({ begunAt }) => begunAt > page.at)
  const opened = ({ states }: Step) => (states.opened ?? 0) + (states.acted ?? 0)
  const read: Record<string, (step: Step) => number> = {
    sent: ({ states }) => states.sent ?? 0,
    delivered: ({ states }) => states.delivered ?? 0,
    shown: ({ states }) => states.shown ?? 0,
    opened,
  }
  return Object.entries(read).flatMap(([name, of]) => {
    const value = page.steps[name] ?? Number.NaN
    const [least, most] = [before ? of(before) : 0, after ? of(after) : Number.POSITIVE_INFINITY]
    return value >= least && value <= most ? [] : [`${name}: ${value} is not between ${least} and ${most}`]
  })
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
  await call('POST', '/api/push/toUsers', { users: people.slice(0, 30), content: 'Before', trackId })
  const { id, count } = await call('POST', '/api/push/toUsers', {
    users: people,
    content: 'Sale',
    notification: { title: 'Sale', actions: [{ id: 'buy', title: 'Buy' }] },
    trackId,
    throttle: { perMinute: isThorough ? 600 : 1_200 },
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
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      const begunAt = Date.now()
      const { states, progress } = await call('GET', `/api/messages/${id}`)
      samples.push({ begunAt, endedAt: Date.now(), states, settled: progress.settled })
    }
  })()
  const using = useDevices(id, devices, () => isOver)
  const seen: MessageFigures[] = []
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
    wrong.push(...(await findCampaignContradictions(campaign)))
    wrong.push(...(await findOverviewContradictions(overview)))
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
  const sums = await call('GET', `/api/campaigns/${trackId}`)
  const stepOf = async (name: string) =>
    Number((await campaign.locator(`[data-step=${name}] > *`).nth(1).textContent())?.replaceAll(',', ''))
  for (const [name, value] of Object.entries({
    ...{ accepted: sums.count, sent: sums.states.sent, delivered: sums.states.delivered },
    opened: sums.states.opened + sums.states.acted,
  }))
    await poll(() => stepOf(name)).toBe(value)
  // Everybody has one device, and thirty of them got both messages.
  await campaign.getByText(`sent to ${people.length} devices of ${people.length} users`).waitFor()
  expect(sums.count).toBe(people.length + 30)
  expect(panel.faults).toEqual([])
})

/** The sums of a campaign are those of the messages under them. */
async function findCampaignContradictions(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const number = (text: string | null | undefined) =>
      Number((text ?? '').replaceAll(',', '').match(/\d+/)?.[0] ?? Number.NaN)
    const steps = Object.fromEntries(
      [...document.querySelectorAll('[data-step]')].map((step) => [
        step.getAttribute('data-step'),
        number(step.children[1]?.textContent),
      ]),
    )
    if (Object.keys(steps).length === 0) return []
    const verdict = document.querySelector('[data-verdict]')?.textContent ?? ''
    const said = verdict.match(/^([\d,]+) of ([\d,]+) deliveries/)
    const found: string[] = []
    if (said && (number(said[1]) !== steps.sent || number(said[2]) !== steps.accepted))
      found.push(`campaign: ${verdict} ${JSON.stringify(steps)}`)
    if (!(steps.accepted >= steps.sent && steps.sent >= steps.delivered && steps.delivered >= steps.opened))
      found.push(`campaign: ${JSON.stringify(steps)}`)
    const reached = (document.querySelector('main')?.textContent ?? '').match(
      /sent to ([\d,]+) devices? of ([\d,]+) users?/,
    )
    if (reached && (number(reached[1]) > steps.sent || number(reached[2]) > number(reached[1])))
      found.push(`campaign reached ${reached[0]}`)
    return found
  })
}

/** What is being sent now is part of what was sent today, and opens are part of it. */
async function findOverviewContradictions(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const card = (label: string) => {
      const found = [...document.querySelectorAll('main *')].find(
        (each) => each.children.length === 0 && each.textContent === label,
      )
      const text = found?.closest('section')?.textContent ?? ''
      return Number(text.slice(label.length).replaceAll(',', '').match(/^\d+/)?.[0] ?? Number.NaN)
    }
    const [sent, opened] = [card('Sent'), card('Opened')]
    return Number.isNaN(opened + sent) || opened > sent ? [`overview: ${opened} opened of ${sent} sent`] : []
  })
}
