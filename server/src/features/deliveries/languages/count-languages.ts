import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { counterSlot } from '#base/counter-slot.ts'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { countedRecipients } from '../../messages/accept/counted-recipients.ts'
import { allLanguages } from '../../messages/compose/choose-texts.ts'
import { defaultTexts } from '../../messages/compose/language-tags.ts'
import type { MessageRow } from '../../messages/stored/message-answer.ts'
import type { DeliveryInLanguage } from './record-languages.ts'

/** Adds deliveries that have just been handed over, of messages that are counted. Locks the counters in their order. */
export async function countLanguages(database: Database, deliveries: readonly DeliveryInLanguage[]): Promise<void> {
  if (deliveries.length === 0) return
  await database.query(
    sql`insert into language_counters as c (app_id, message_id, language, slot, count)
        select h.app_id, h.message_id, h.language, ${counterSlot(deliveries.length)}::smallint, count(*)
        from ${unnestRows(deliveries, 'h', {
          app_id: ['int', ({ appId }) => appId],
          message_id: ['uuid', ({ messageId }) => messageId],
          language: ['text', ({ language }) => language],
        })}
        group by h.app_id, h.message_id, h.language
        order by h.app_id, h.message_id, h.language collate "C"
        on conflict (app_id, message_id, language, slot) do update set count = c.count + excluded.count`,
    'count-languages',
  )
}

/** To how many installations it was handed over in which language; undefined where it has no languages. */
export async function readLanguageCounts(
  ctx: Context,
  { id, recipients, body }: Pick<MessageRow, 'id' | 'recipients' | 'body'>,
): Promise<Record<string, number> | undefined> {
  const languages = allLanguages(body)
  if (languages.length === 0) return undefined
  const isToFew = recipients < countedRecipients
  const rows = await db(ctx).query<{ language: string; count: number }>(
    sql`select language, sum(count)::bigint as count from (
          select language, count(*) as count from deliveries
          where app_id = ${ctx.app.id} and message_id = ${id} and language is not null and ${isToFew}::boolean group by 1
          union all
          select language, count from language_counters where app_id = ${ctx.app.id} and message_id = ${id}
        ) counted
        group by language`,
    'read-language-counts',
  )
  const counts = new Map(rows.map(({ language, count }) => [language, count]))
  return Object.fromEntries([...languages, defaultTexts].map((name) => [name, counts.get(name) ?? 0]))
}
