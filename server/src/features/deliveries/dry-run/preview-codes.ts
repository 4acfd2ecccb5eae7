import type { DryRun } from '@peyk/contract'
import sql, { empty } from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { sampleOf } from './sample-code.ts'

type PromoPreview = NonNullable<DryRun['promo']>

interface ActiveSet {
  set_no: number
  track_id: string
  taken_up_to: string
}

/** Codes that are left, counted once; what one message of a list would take is gone for the next. None is taken. */
export class CodesLedger {
  private readonly campaigns = new Map<string, { left: number; sampleCode: string }>()
  private globalLeft: number | undefined
  private readonly database: Database
  private readonly appId: number

  constructor(database: Database, appId: number) {
    this.database = database
    this.appId = appId
  }

  /** [promo-codes.md#who-gets-which-code] From the campaign's set, else the global one. */
  async reserve(trackId: string | undefined, needed: number): Promise<PromoPreview> {
    const key = trackId ?? ''
    const campaign = this.campaigns.get(key) ?? (await this.read(key))
    const { left: campaignLeft, sampleCode } = campaign
    const globalLeft = this.globalLeft ?? 0
    const fromCampaign = Math.min(needed, campaignLeft)
    const fromGlobal = Math.min(needed - fromCampaign, globalLeft)
    campaign.left -= fromCampaign
    this.globalLeft = globalLeft - fromGlobal
    return { needed, campaignLeft, globalLeft, missing: needed - fromCampaign - fromGlobal, sampleCode }
  }

  private async read(trackId: string) {
    const { database, appId } = this
    const sets = await database.query<ActiveSet>(sql`
      select set_no, track_id, taken_up_to from promo_sets
      where app_id = ${appId} and state = 'active' and track_id = any(${[trackId, '']}::text[])`)
    const global = sets.find((set) => set.track_id === '')
    const campaign = sets.find((set) => set.track_id !== '')
    this.globalLeft ??= global ? await countLeft(database, appId, global, campaign) : 0
    const next =
      (campaign && (await findNext(database, appId, campaign))) ?? (global && (await findNext(database, appId, global)))
    const known = {
      left: campaign ? await countLeft(database, appId, campaign) : 0,
      sampleCode: sampleOf(next),
    }
    this.campaigns.set(trackId, known)
    return known
  }
}

const leftOf = (appId: number, set: ActiveSet) => sql`
  c.app_id = ${appId} and c.set_no = ${set.set_no} and c.code > ${set.taken_up_to}
  and not exists (select from promo_given g where g.app_id = ${appId} and g.code = c.code)`

async function countLeft(database: Database, appId: number, set: ActiveSet, except?: ActiveSet): Promise<number> {
  const others = except
    ? sql`and not exists (
        select from promo_codes o where o.app_id = ${appId} and o.set_no = ${except.set_no} and o.code = c.code and o.code > ${except.taken_up_to})`
    : empty
  const [row] = await database.query<{ count: number }>(
    sql`select count(*) as count from promo_codes c where ${leftOf(appId, set)} ${others}`,
  )
  return row?.count ?? 0
}

async function findNext(database: Database, appId: number, set: ActiveSet): Promise<string | undefined> {
  const [row] = await database.query<{ code: string }>(
    sql`select c.code from promo_codes c where ${leftOf(appId, set)} order by c.code limit 1`,
  )
  return row?.code
}
