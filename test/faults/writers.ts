import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** What was sent, by its own id, and whether it was answered with 200. */
export interface Sent {
  kind: 'track' | 'message' | 'tag' | 'attribute'
  id: string
  isKeyed: boolean
  isAcknowledged: boolean
}

const requests = {
  track: (id: string) => [
    '/api/installations/track',
    { userId: `user-${id.slice(0, 1)}`, eventName: 'Load', eventData: { n: id } },
  ],
  message: (id: string) => ['/api/push/toUsers', { user: 'user-1', content: 'load', clientId: id }],
  tag: (id: string) => ['/api/installations/addTags', { userId: `load-${id.slice(0, 2)}`, tags: [id] }],
  attribute: (id: string) => ['/api/installations/attributes', { userId: id, attributes: { load: 1 } }],
} satisfies Record<Sent['kind'], (id: string) => [string, object] | (string | object)[]>

/**
 * A mixed load. Half of the requests carry an idempotency key and are repeated until they are answered with 200; the
 * others are sent once. A status that is neither 200 nor a promise to be back is kept as a surprise, and ends the load.
 */
export function startWriters(baseUrl: string, token: string, count: number) {
  const sent: Sent[] = []
  const surprises: string[] = []
  let acknowledged = 0
  let isStopped = false

  async function post(one: Sent): Promise<boolean> {
    const [path, body] = requests[one.kind](one.id) as [string, object]
    const headers = {
      'x-access-token': token,
      'content-type': 'application/json',
      ...(one.isKeyed && { 'idempotency-key': one.id }),
    }
    try {
      const response = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
      const text = await response.text()
      if (response.status === 200) return true
      if (![503, 409, 429].includes(response.status)) surprises.push(`${path} ${response.status} ${text}`)
    } catch {
      // The connection was cut: nobody knows, as in life.
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
    return false
  }

  async function write(): Promise<void> {
    const kinds = Object.keys(requests) as Sent['kind'][]
    while (!isStopped && surprises.length === 0) {
      const one: Sent = {
        kind: kinds[sent.length % kinds.length] as Sent['kind'],
        id: randomUUID(),
        isKeyed: sent.length % 8 < 4,
        isAcknowledged: false,
      }
      sent.push(one)
      one.isAcknowledged = await post(one)
      while (one.isKeyed && !one.isAcknowledged && surprises.length === 0) one.isAcknowledged = await post(one)
      if (one.isAcknowledged) acknowledged++
    }
  }

  const writers = Array.from({ length: count }, () => write())
  return {
    sent,
    surprises,
    countAcknowledged: () => acknowledged,
    /** The keyed ones go on until they are answered, so the service must be there. */
    stop: async () => {
      isStopped = true
      await Promise.all(writers)
    },
  }
}

/** What is wrong in the store: acknowledged but not there, or there more than once. */
export async function findLosses(connection: pg.ClientConfig, sent: readonly Sent[]): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ kind: Sent['kind']; id: string; count: string }>(`
      select 'track' as kind, data->>'n' as id, count(*) from events where name = 'Load' group by 2
      union all select 'message', client_id, count(*) from messages where client_id is not null group by 2
      union all select 'tag', tag, count(*) from user_tags t join users u using (app_id, user_no) where u.user_id like 'load-%' group by 2
      union all select 'attribute', u.user_id, count(*) from user_attributes a join users u using (app_id, user_no) where a.name = 'load' group by 2`)
    const stored = new Map(rows.map((row) => [`${row.kind} ${row.id}`, Number(row.count)]))
    return sent.flatMap((one) => {
      const count = stored.get(`${one.kind} ${one.id}`) ?? 0
      if (one.isAcknowledged && count !== 1)
        return [`${one.kind} ${one.id} was acknowledged and is there ${count} times`]
      return count > 1 ? [`${one.kind} ${one.id} is there ${count} times`] : []
    })
  } finally {
    await client.end()
  }
}
