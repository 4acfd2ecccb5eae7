import type { CampaignDetail } from '@peyk/contract'
import { openShare } from '../../parts/numbers/measures.ts'
import type { Texts } from '../../texts/en.ts'
import type { Format } from '../../texts/format.ts'

/** The result of a campaign in one sentence. It counts deliveries: a device counts once per message. */
export function sayCampaign(
  { count, states }: Pick<CampaignDetail, 'count' | 'states'>,
  words: Texts['campaigns']['verdict'],
  format: Format,
): string {
  const all = format.number(count)
  if (states.sent === 0) return words.none(all)
  const opened = openShare(states)
  const confirmed = format.percent(states.delivered / states.sent)
  return [
    words.sent(format.number(states.sent), all),
    ...(states.delivered > 0 ? [words.confirmed(confirmed)] : []),
    ...(opened === undefined ? [] : [words.opened(format.percent(opened))]),
  ].join(words.between)
}
