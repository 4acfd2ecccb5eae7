import sql, { raw } from 'sql-template-tag'
import type { RunningProcess } from '../measure/process.ts'
import { median } from '../measure/rounds.ts'
import type { PeykDatabase } from '../subjects/peyk.ts'
import { type Shape, shapes } from './shapes.ts'

const sends = 5

/** No process is a worker: whom a message goes to is written down when it is accepted, and nothing goes out. */
export const withoutWorker = { PEYK_ROLES: 'api,index' }

/** How long each shape takes until a message to it is accepted, in ms. */
export async function measureSends(peyk: RunningProcess, database: PeykDatabase): Promise<Map<string, number>> {
  const times = new Map<string, number>()
  for (const shape of shapes) {
    const taken: number[] = []
    for (let send = 0; send < sends; send++) taken.push(await timeSend(peyk, database, shape))
    times.set(shape.name, median(taken))
    console.log(`  a send to "${shape.name}" is accepted in ${median(taken).toFixed(1)} ms`)
  }
  return times
}

async function timeSend(peyk: RunningProcess, { store, appId, token }: PeykDatabase, shape: Shape): Promise<number> {
  const sentMs = performance.now()
  const response = await fetch(`${peyk.url}/api/push/byQuery`, {
    method: 'POST',
    headers: { 'X-Access-Token': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ segment: shape.segment, content: 'Bench' }),
  })
  const answer = await response.text()
  const takenMs = performance.now() - sentMs
  if (response.status !== 200) throw new Error(`A send was refused: ${answer}`)
  for (const table of ['delivery_batches', 'audience_parts', 'messages'])
    await store.query(sql`delete from ${raw(table)} where app_id = ${appId}`)
  return takenMs
}
