import { refuseInTransaction } from '#base/outbound/refuse-in-transaction.ts'
import { Renderer } from './renderer.ts'
import type { Rendered } from './template-engine.ts'

const recipientsPerTurn = 100
const mostTries = 2
/** So many recipients must have failed before a text is given up for the others. */
const enoughFailures = 3
const maxRemembered = 1_000
const fault = 'it took too long to write, or too much memory'

interface Job {
  text: string
  scopes: readonly object[]
  finish(rendered: Rendered[]): void
  fail(error: unknown): void
}

interface Fared {
  failed: number
  written: number
}

const renderer = new Renderer()
/** What waits, by app: they take turns, so that none keeps the others waiting. */
const waiting = new Map<number, Job[]>()
/** With how many recipients a text ended the renderer, and with how many it did not. */
const fared = new Map<string, Fared>()
let isRunning = false

/**
 * Renders a text for each scope in a process of its own, where it hangs nobody else. Not within a transaction: this may
 * take seconds, and longer when others wait too.
 */
export async function renderInChild(appId: number, text: string, scopes: readonly object[]): Promise<Rendered[]> {
  refuseInTransaction('A text was rendered apart')
  const rendered: Rendered[] = []
  for (let from = 0; from < scopes.length; from += recipientsPerTurn) {
    const part = scopes.slice(from, from + recipientsPerTurn)
    rendered.push(...(await takeTurn(appId, text, part)))
  }
  return rendered
}

function takeTurn(appId: number, text: string, scopes: readonly object[]): Promise<Rendered[]> {
  return new Promise((finish, fail) => {
    const own = waiting.get(appId) ?? []
    own.push({ text, scopes, finish, fail })
    waiting.set(appId, own)
    if (!isRunning) void run()
  })
}

async function run(): Promise<void> {
  isRunning = true
  while (waiting.size > 0) {
    for (const [appId, jobs] of waiting) {
      const job = jobs.shift()
      if (jobs.length === 0) waiting.delete(appId)
      if (job) await renderAll(job).then(job.finish, job.fail)
    }
  }
  isRunning = false
}

/** A recipient with whom the renderer ends twice gets nothing; the others go on in a new one. */
async function renderAll({ text, scopes }: Job): Promise<Rendered[]> {
  const rendered: Rendered[] = []
  let tries = 0
  while (rendered.length < scopes.length) {
    const left = scopes.slice(rendered.length)
    if (isGivenUp(text)) return [...rendered, ...left.map(() => ({ fault }))]
    const more = await renderer.render({ text, scopes: left })
    rendered.push(...more)
    note(text, { failed: 0, written: more.length })
    if (more.length === left.length) break
    tries = more.length > 0 ? 1 : tries + 1
    if (tries < mostTries) continue
    rendered.push({ fault })
    note(text, { failed: 1, written: 0 })
    tries = 0
  }
  return rendered
}

/** With most recipients: it is the text that is at fault, not the attributes of somebody. */
function isGivenUp(text: string): boolean {
  const { failed, written } = fared.get(text) ?? { failed: 0, written: 0 }
  return failed >= enoughFailures && failed > written
}

/** Those that were not used for longest are forgotten. */
function note(text: string, { failed, written }: Fared): void {
  const known = fared.get(text) ?? { failed: 0, written: 0 }
  fared.delete(text)
  const [oldest] = fared.size >= maxRemembered ? fared.keys() : []
  if (oldest !== undefined) fared.delete(oldest)
  fared.set(text, { failed: known.failed + failed, written: known.written + written })
}
