import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

/** [promo-codes.md#who-gets-which-code] Whom an app gives no promo codes. */
export interface PromoRules {
  withholdsFromGuests: boolean
  /** Installations that were registered less than so many hours ago; 0 for none. */
  withheldHours: number
}

export async function getPromoRules(database: Database, appId: number): Promise<PromoRules> {
  const [row] = await database.query<{ guests: boolean; hours: number }>(
    sql`select coalesce(settings->'withholdCodesFromGuests' = 'true', false) as guests,
          coalesce((settings->>'withholdCodesHours')::float8, 0) as hours
        from apps where app_id = ${appId}`,
    'get-promo-rules',
  )
  return { withholdsFromGuests: row?.guests ?? false, withheldHours: row?.hours ?? 0 }
}
