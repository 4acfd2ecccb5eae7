import type { pagesEn } from '../en/pages.ts'
import { campaignsFa, promoFa } from './campaigns.ts'
import { draftsFa, templatesFa } from './drafts.ts'
import { imagesFa } from './images.ts'
import { approvalsFa } from './messages/approvals.ts'
import { calendarFa } from './messages/calendar.ts'
import { seriesFa } from './messages/series.ts'
import { messagesFa } from './messages.ts'
import { channelsFa, eventsFa, uninstallsFa } from './numbers.ts'
import { phonesFa } from './phones.ts'
import { rulesFa } from './rules.ts'
import { segmentsFa } from './segments.ts'
import { sendFa } from './send/send.ts'
import { variantsFa } from './send/variants.ts'
import { settingsFa } from './settings.ts'
import { usersFa } from './users.ts'
import { sayRefusalFa } from './whole-refusals.ts'

/** In Persian, what the pages after the first say: loaded with them. */
export const pagesFa: typeof pagesEn = {
  refusal: sayRefusalFa,
  files: { others: 'قالب‌های دیگر', parquet: 'دانلود Parquet' },
  send: sendFa,
  drafts: draftsFa,
  templates: templatesFa,
  messages: messagesFa,
  calendar: calendarFa,
  approvals: approvalsFa,
  series: seriesFa,
  campaigns: campaignsFa,
  segments: segmentsFa,
  users: usersFa,
  events: eventsFa,
  channels: channelsFa,
  promo: promoFa,
  uninstalls: uninstallsFa,
  phones: phonesFa,
  settings: settingsFa,
  images: imagesFa,
  rules: rulesFa,
  variants: variantsFa,
}
