import type { ComposedMessage, getApp, SendPlan } from '@peyk/contract'
import { useAppQuery } from '#api/use-app-query.ts'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import type { Draft } from '../draft/draft.ts'
import { findBareLinks } from '../fields/bare-links.ts'
import { sayImageWarning } from '../fields/say-image-warning.ts'
import { useTriedImages } from '../fields/use-image-reach.ts'
import { usedImages } from '../fields/used-images.ts'
import { wordingsOf } from '../variants/draft-variants.ts'
import { findRisks, sayRisk } from './find-risks.ts'
import { type SaidFault, sayFault } from './say-reason.ts'

interface Warnings {
  warnings: SaidFault[]
  /** The browser is still trying whether images can be loaded. */
  isTrying: boolean
}

/** What a member should look at before sending: what the check found, and what only the browser can tell. */
export function useWarnings(
  plan: SendPlan | undefined,
  draft: Draft,
  isAllowed: boolean,
  message: ComposedMessage,
  users: number | undefined,
): Warnings {
  const texts = useTexts()
  const format = useFormat()
  const app = useAppQuery<typeof getApp>('/app')
  const images = usedImages(draft)
  const tried = useTriedImages(images.map(({ url }) => url))
  const { who, plan: words, fields } = texts.send
  const badImages = images.flatMap(({ url, variant, language }, index) => {
    const state = tried[index]
    if (!state || state.reach === 'ok' || state.reach === 'checking') return []
    const warning = sayImageWarning(state, url, texts)
    if (warning === undefined) return []
    const place = [
      ...(variant === undefined ? [] : [texts.variants.variant(variant)]),
      ...(language === undefined ? [] : [format.language(language)]),
    ]
    return [{ text: [...place, fields.mediaUrl, warning].join(': ') }]
  })
  const { faults = [], faultCodes = [] } = plan?.dryRun ?? {}
  const warnings = [
    ...(isAllowed ? [] : [{ text: who.tooMany }]),
    ...faults.map((sentence, index) => {
      const said = sayFault(faultCodes[index], sentence, words.reasons, format)
      const name = faultCodes[index]?.variant
      return name === undefined ? said : { ...said, text: `${texts.variants.variant(name)}: ${said.text}` }
    }),
    ...(plan ? findRisks({ dryRun: plan.dryRun, users, message, app: app.data }) : []).map((risk) => ({
      text: sayRisk(risk, words.risks, format),
    })),
    ...withoutPush(plan).map(({ provider, count }) => ({
      text: words.withoutPush(count, format.number(count), words.reasons.providers[provider]),
    })),
    ...[...new Set(wordingsOf(draft).flatMap(findBareLinks))].map((link) => ({ text: words.bareLink, detail: link })),
    ...badImages,
  ]
  return { warnings, isTrying: app.isPending || tried.some(({ reach }) => reach === 'checking') }
}

/** Devices that only find it in the app, because a provider is not set up. */
function withoutPush(plan: SendPlan | undefined) {
  const outcomes = plan?.dryRun.outcomes ?? []
  return outcomes.flatMap(({ path, code, provider, count }) =>
    path === 'inbox' && code === 'no-credentials' && provider !== undefined ? [{ provider, count }] : [],
  )
}
