import type { Store } from '@peyk/server/base/store/store.ts'
import type { PushRecord, ReceivedPush } from '@peyk/simulator/providers/record.ts'
import sql from 'sql-template-tag'

/** What a send looks like from both sides, when it has ended. */
export interface SendReport {
  /** Deliveries that are neither sent nor ended, codes that are wrong, pushes that a device would show as another message. */
  problems: string[]
  installations: number
  codes: number
  /** What providers received beyond one push for each device. */
  repeated: number
  /** How often the device that heard most heard of it. */
  mostOften: number
}

interface Row {
  installation_no: number
  state: string | null
  reason: string | null
  device_token: string | null
  code: string | null
}

const wasSent = new Set(['sent', 'delivered', 'shown', 'opened', 'acted', 'dismissed'])

/** Joins what the simulated providers wrote down to the store. Codes are looked for as `CODE-…` in the payloads. */
export async function inspectSend(
  store: Store,
  record: PushRecord,
  { appId, messageId }: { appId: number; messageId: string },
): Promise<SendReport> {
  const rows = await store.query<Row>(sql`
    select i.installation_no, d.state, d.reason, t.device_token, g.code
    from messages m
    join installations i on i.app_id = m.app_id and i.created_at <= m.accepted_at
    left join installation_details t on t.app_id = i.app_id and t.installation_no = i.installation_no
    left join deliveries d on d.app_id = i.app_id and d.message_id = m.id and d.installation_no = i.installation_no
    left join promo_given g on g.app_id = i.app_id and g.message_id = m.id and g.user_no = i.user_no
    where m.app_id = ${appId} and m.id = ${messageId} and (i.uninstalled_at is null or i.uninstalled_at > m.accepted_at)`)
  const problems: string[] = []
  const pushes = groupByToken(record.list({ messageId }))
  let received = 0
  for (const row of rows) {
    const own = pushes.get(addressOf(row.device_token)) ?? []
    received += own.length
    problems.push(...inspectDelivery(row, own).map((problem) => `installation ${row.installation_no}: ${problem}`))
  }
  const batches = await store.query(
    sql`select from delivery_batches where app_id = ${appId} and message_id = ${messageId}`,
  )
  if (batches.length > 0) problems.push(`${batches.length} batches are left`)
  return {
    problems,
    installations: rows.length,
    codes: new Set(rows.flatMap(({ code }) => code ?? [])).size,
    repeated: received - pushes.size,
    mostOften: Math.max(0, ...[...pushes.values()].map((own) => own.length)),
  }
}

function inspectDelivery(row: Row, own: readonly ReceivedPush[]): string[] {
  const { state, reason, code, device_token: token } = row
  const problems: string[] = []
  const isTaken = own.some((push) => push.isTaken)
  if (state === null) problems.push('has no delivery')
  // No provider knows it: the own connection brings it, or the inbox holds it.
  if (token === null) return problems
  if (state !== null && !wasSent.has(state) && state !== 'ended') problems.push(`is ${state}`)
  if (state !== null && wasSent.has(state) && !isTaken) problems.push(`is ${state}, and no provider took it`)
  if (isTaken && state === 'ended' && reason !== 'unknown') problems.push(`ended as ${reason}, and a provider took it`)
  const identities = new Set(own.map(identityOf))
  if (identities.size > 1) problems.push(`came as ${identities.size} messages: ${[...identities].join(' | ')}`)
  const codes = new Set(own.map((push) => /CODE-\d+/.exec(JSON.stringify(push.payload))?.[0]))
  if (own.length > 0 && (codes.size !== 1 || !codes.has(code ?? undefined)))
    problems.push(`has the code ${code}, and was sent ${[...codes].join(', ')}`)
  return problems
}

/** What a device or its provider knows a message by. */
function identityOf({ headers, payload }: ReceivedPush): string {
  const names = ['apns-id', 'apns-collapse-id', 'topic'].flatMap((name) => headers[name] ?? [])
  const { android } = payload as { android?: { notification?: { tag?: string } } }
  return [...names, android?.notification?.tag, /"messageId":"[^"]*"/.exec(JSON.stringify(payload))?.[0]].join(' ')
}

function groupByToken(pushes: readonly ReceivedPush[]): Map<string, ReceivedPush[]> {
  const groups = new Map<string, ReceivedPush[]>()
  for (const push of pushes) {
    const group = groups.get(push.token)
    if (group) group.push(push)
    else groups.set(push.token, [push])
  }
  return groups
}

/** A browser is known by the endpoint of its subscription. */
function addressOf(token: string | null): string {
  return token?.startsWith('{') ? JSON.parse(token).endpoint : (token ?? '')
}

/** How many pushes came to all providers so far. Cheap, unlike the list of them. */
export function countReceived(record: PushRecord): number {
  return Object.values(record.countAll()).reduce((sum, { received }) => sum + received, 0)
}
