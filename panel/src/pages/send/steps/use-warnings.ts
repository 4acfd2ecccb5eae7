import type { SendPlan } from '@peyk/contract'
import { imageOf } from '../../../parts/notification-preview/shown-notification.ts'
import { useFormat, useTexts } from '../../../texts/LanguageProvider.tsx'
import type { Draft } from '../draft/draft.ts'
import { findBareLinks } from '../fields/bare-links.ts'
import { sayImageWarning } from '../fields/say-image-warning.ts'
import { useTriedImage } from '../fields/use-image-reach.ts'
import { wordingsOf } from '../variants/draft-variants.ts'
import { type SaidFault, sayFault } from './say-reason.ts'

/** What a member should look at before sending: what the check found, and what only the browser can tell. */
export function useWarnings(plan: SendPlan | undefined, draft: Draft, isAllowed: boolean): SaidFault[] {
  const texts = useTexts()
  const format = useFormat()
  const url = imageOf(draft.notification) ?? ''
  const tried = useTriedImage(url)
  const { who, plan: words, fields } = texts.send
  const image = tried.reach === 'ok' || tried.reach === 'checking' ? undefined : sayImageWarning(tried, url, texts)
  const { faults = [], faultCodes = [] } = plan?.dryRun ?? {}
  return [
    ...(isAllowed ? [] : [{ text: who.tooMany }]),
    ...faults.map((sentence, index) => {
      const said = sayFault(faultCodes[index], sentence, words.reasons, format)
      const name = faultCodes[index]?.variant
      return name === undefined ? said : { ...said, text: `${texts.variants.variant(name)}: ${said.text}` }
    }),
    ...withoutPush(plan).map(({ provider, count }) => ({
      text: words.withoutPush(count, format.number(count), words.reasons.providers[provider]),
    })),
    ...[...new Set(wordingsOf(draft).flatMap(findBareLinks))].map((link) => ({ text: words.bareLink, detail: link })),
    ...(image === undefined ? [] : [{ text: `${fields.mediaUrl}: ${image}` }]),
  ]
}

/** Devices that only find it in the app, because a provider is not set up. */
function withoutPush(plan: SendPlan | undefined) {
  const outcomes = plan?.dryRun.outcomes ?? []
  return outcomes.flatMap(({ path, code, provider, count }) =>
    path === 'inbox' && code === 'no-credentials' && provider !== undefined ? [{ provider, count }] : [],
  )
}
