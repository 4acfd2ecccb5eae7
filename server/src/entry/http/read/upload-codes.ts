import type { Context } from '#base/context.ts'
import { addCampaignCodes } from '#features/promo/add-campaign-codes.ts'
import { addGlobalCodes } from '#features/promo/add-global-codes.ts'
import { replaceCampaignCodes } from '#features/promo/replace-campaign-codes.ts'
import { replaceGlobalCodes } from '#features/promo/replace-global-codes.ts'
import { type PromoExchange, withPromoFile } from './promo-file.ts'

/** Into the set of a campaign: beside its codes, or in their place. */
export function uploadCampaignCodes(ctx: Context, exchange: PromoExchange & { params: { trackId: string } }) {
  return withPromoFile(ctx, exchange, (inner, { mode, ...given }) =>
    (mode === 'add' ? addCampaignCodes : replaceCampaignCodes)(inner, { ...given, ...exchange.params }),
  )
}

/** Into the global set. */
export function uploadGlobalCodes(ctx: Context, exchange: PromoExchange) {
  return withPromoFile(ctx, exchange, (inner, { mode, ...given }) =>
    (mode === 'add' ? addGlobalCodes : replaceGlobalCodes)(inner, given),
  )
}
