import type { RunningProcess } from '../measure/process.ts'
import type { Question } from './questions.ts'

/** Asks one question as a browser does, until the answer is read. */
export async function ask(peyk: RunningProcess, cookie: string, { path, body }: Question): Promise<void> {
  const response = await fetch(`${peyk.url}/panel/api/apps/bench${path}`, {
    headers: { cookie, origin: peyk.url, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path} was answered by ${response.status}: ${text.slice(0, 500)}`)
}

/** The least that an answer out of the database costs: `select 1` over the same HTTP and the same pool. */
export async function askLeast(peyk: RunningProcess): Promise<void> {
  const response = await fetch(`${peyk.url}/ready`)
  await response.text()
}
