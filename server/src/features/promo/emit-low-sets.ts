import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { raiseAlert } from '../accounts/alerts/raise-alert.ts'
import { leaveInOutbox } from '../outbox/outbox.ts'

type Job = Pick<Context, 'store' | 'now' | 'log'>

interface LowSet {
  app_id: number
  label: string
  set_id: string
  track_id: string
  codes: number
  left_over: number
}

const fewCodes = 100

/** Says once of each set in use that fewer than a hundred codes, or than a tenth of them, are left. */
export async function emitLowSets({ store, now, log }: Job): Promise<void> {
  await store.transaction(async (tx) => {
    const low = await tx.query<LowSet>(sql`
      update promo_sets s set low_told_at = ${now()}
      from apps a
      where a.app_id = s.app_id and s.state = 'active' and s.low_told_at is null and s.given > 0
        and s.codes - s.already_used - s.given < greatest(${fewCodes}, s.codes / 10)
      returning s.app_id, a.label, s.set_id, s.track_id, s.codes - s.already_used as codes,
        greatest(0, s.codes - s.already_used - s.given) as left_over`)
    for (const { app_id, label, set_id, track_id, codes, left_over } of low) {
      const which = track_id === '' ? 'The global promo codes' : `The promo codes of the campaign "${track_id}"`
      await raiseAlert(
        { app: { id: app_id, label }, store, tx, now, log },
        {
          kind: 'promo-low',
          subject: track_id,
          text: `${which} run out: ${left_over} of ${codes} are left. Upload more before they run out.`,
          details: { codes, left: left_over },
        },
      )
      const promoSetId = track_id === '' ? label : set_id
      const body = { promoSetId, ...(track_id !== '' && { trackId: track_id }), codes, left: left_over }
      await leaveInOutbox(tx, store, [{ appId: app_id, kind: 'promo.low', at: now(), body }])
    }
  })
}
