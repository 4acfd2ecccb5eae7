import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { isForgottenInstallation } from '../../installations/users/forgotten-users.ts'
import type { Settlement } from './settlement.ts'

/** What providers answered when they did not accept, for whoever asks why. */
export async function insertAttempts(tx: Transaction, settlements: readonly Settlement[]): Promise<void> {
  const attempts = settlements.flatMap(attemptsOf)
  if (attempts.length === 0) return
  await tx.query(
    sql`
      insert into delivery_attempts (app_id, message_id, installation_no, attempted_at, provider, outcome, detail)
      select * from ${unnestRows(attempts, 't', {
        app_id: ['int', (attempt) => attempt.appId],
        message_id: ['uuid', (attempt) => attempt.messageId],
        installation_no: ['bigint', (attempt) => attempt.installationNo],
        attempted_at: ['timestamptz', (attempt) => attempt.at.toISOString()],
        provider: ['text', (attempt) => attempt.provider],
        outcome: ['text', (attempt) => attempt.outcome],
        detail: ['text', (attempt) => attempt.detail],
      })}
      where not ${isForgottenInstallation(sql`t.app_id`, sql`t.installation_no`)}`,
    'insert-delivery-attempts',
  )
}

function attemptsOf({ appId, message, settled, putBacks }: Settlement) {
  const common = { appId, messageId: message.id }
  return [
    ...settled.flatMap(({ installationNo, attempt, provider = '', detail = '', at }) =>
      attempt ? [{ ...common, installationNo, at, provider, outcome: attempt, detail }] : [],
    ),
    ...putBacks.flatMap(({ installationNo, provider, attempt }) =>
      attempt ? [{ ...common, installationNo, provider, ...attempt }] : [],
    ),
  ]
}
