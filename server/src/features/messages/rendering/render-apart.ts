import type { Rendered } from '../template-engine.ts'
import { RenderingProcess } from './rendering-process.ts'

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

const renderer = new RenderingProcess()
/** What waits, by app: they take turns, so that none keeps the others waiting. */
const waiting = new Map<number, Job[]>()
/** How recipients fared with texts that ended the renderer. */
const troubled = new Map<string, { failed: number; written: number }>()
let isRunning = false

/** Renders a text for each scope in a process of its own, where it hangs nobody else. */
export async function renderApart(appId: number, text: string, scopes: readonly object[]): Promise<Rendered[]> {
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
    if (isGivenUp(text)) rendered.push({ fault })
    else {
      const more = await renderer.render({ text, scopes: scopes.slice(rendered.length) })
      if (more.length > 0) tries = 0
      rendered.push(...more)
      troubled.get(text) && note(text, { written: more.length })
      if (rendered.length === scopes.length) break
      tries++
      if (tries < mostTries) continue
      rendered.push({ fault })
      tries = 0
      note(text, { failed: 1 })
    }
  }
  return rendered
}

/** With most recipients: it is the text that is at fault, not the attributes of somebody. */
function isGivenUp(text: string): boolean {
  const { failed, written } = troubled.get(text) ?? { failed: 0, written: 0 }
  return failed >= enoughFailures && failed > written
}

function note(text: string, { failed = 0, written = 0 }: { failed?: number; written?: number }): void {
  const known = troubled.get(text) ?? { failed: 0, written: 0 }
  if (troubled.size >= maxRemembered) troubled.clear()
  troubled.set(text, { failed: known.failed + failed, written: known.written + written })
}
