import { campaignsEn, promoEn } from './campaigns.ts'
import { draftsEn, templatesEn } from './drafts.ts'
import { imagesEn } from './images.ts'
import { approvalsEn } from './messages/approvals.ts'
import { calendarEn } from './messages/calendar.ts'
import { seriesEn } from './messages/series.ts'
import { messagesEn } from './messages.ts'
import { channelsEn, eventsEn, uninstallsEn } from './numbers.ts'
import { phonesEn } from './phones.ts'
import { sayRefusalEn } from './refusals.ts'
import { rulesEn } from './rules.ts'
import { segmentsEn } from './segments.ts'
import { sendEn } from './send/send.ts'
import { variantsEn } from './send/variants.ts'
import { settingsEn } from './settings.ts'
import { usersEn } from './users.ts'

/** In English, what the pages after the first say: loaded with them. */
export const pagesEn = {
  refusal: sayRefusalEn,
  files: { others: 'Other formats', parquet: 'Download Parquet' },
  send: sendEn,
  drafts: draftsEn,
  templates: templatesEn,
  messages: messagesEn,
  calendar: calendarEn,
  approvals: approvalsEn,
  series: seriesEn,
  campaigns: campaignsEn,
  segments: segmentsEn,
  users: usersEn,
  events: eventsEn,
  channels: channelsEn,
  promo: promoEn,
  uninstalls: uninstallsEn,
  phones: phonesEn,
  settings: settingsEn,
  images: imagesEn,
  rules: rulesEn,
  variants: variantsEn,
}
