import type pg from 'pg'
import { rejectWhenSilent } from './reject-when-silent.ts'

const goodbyeMs = 1_000

/** Says goodbye; a PostgreSQL that does not answer is left without. */
export async function endClient(client: pg.Client): Promise<void> {
  await rejectWhenSilent(client.end(), goodbyeMs).catch(() => cutClient(client))
}

/** At once: whatever waits for the connection fails. */
export function cutClient(client: pg.ClientBase): void {
  ;(client as unknown as { connection?: { stream?: { destroy(): void } } }).connection?.stream?.destroy()
}
