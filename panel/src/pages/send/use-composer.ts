import type { ComposedMessage, panelPlanSend, SendPlan, StoredDraft, Values } from '@peyk/contract'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { ApiFault, appPath, call } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { useFaultText } from '../../parts/Fault.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { composeMessage, composeReceivers } from './draft/compose.ts'
import type { Draft } from './draft/draft.ts'
import type { LocalFault } from './draft/local-fault.ts'
import { readUserIds } from './draft/read-user-ids.ts'
import { useDraft } from './draft/use-draft.ts'
import { fieldLabel } from './field-label.ts'
import { focusField, isFieldOf } from './focus-field.ts'
import { findRendered } from './preview/rendered-text.ts'
import { useReceiverCount, useRenderedTexts, useSamplePerson, useWantedValues } from './queries.ts'
import type { Sending } from './sending.ts'
import { composeValues, findValueFaults } from './values/compose-values.ts'
import { variantDraft } from './variants/draft-variants.ts'
import { fieldInVariant, variantOfField, withoutFirst } from './variants/variant-place.ts'

/** Said while it is typed. What is merely missing is said when somebody wants to go on. */
const loud: readonly LocalFault[] = [
  'tooManyUsers',
  'wrongUsers',
  'notJson',
  'notObject',
  'notNumber',
  'notWhole',
  'wrongVibration',
  'pastTime',
]
const personalUsers = 10

/** Beside the field its name need not be said again. */
function sayAtField(message: string): string {
  return message.replace(/^"[^"]+": (.)/, (_, first: string) => first.toUpperCase())
}

/** Where a field is: in one of the languages, or else in the default texts, if it is a text at all. */
function languageOf(named: unknown, shown: string | undefined): string | undefined {
  if (typeof named !== 'string') return shown
  const field = fieldInVariant(named)
  const [, language] = /^contents\.([^.]+)/.exec(field) ?? []
  if (language !== undefined) return language
  return /^(content|alertText|notification)/.test(field) ? undefined : shown
}

/** Where a field is: in one of the variants, or else in the first, if it is a text at all. */
function variantOf(field: unknown, shown: number): number {
  if (typeof field !== 'string') return shown
  return variantOfField(field) ?? (/^(content|contents|alertText|notification)\b/.test(field) ? 0 : shown)
}

function withValues<Composed extends { message: ComposedMessage }>(composed: Composed, values: Values | undefined) {
  return values ? { ...composed, message: { ...composed.message, values } } : composed
}

/** All that the Send page knows: the draft, what it amounts to, and what the service says of it. */
export function useComposer() {
  const { name, may, appId } = useApp()
  const { send: texts } = useTexts()
  const say = useFaultText()
  const kept = useDraft()
  const mayMany = may('send-to-many')
  const draft = useMemo<Draft>(
    () => (mayMany ? kept.draft : { ...kept.draft, who: { ...kept.draft.who, kind: 'users' } }),
    [kept.draft, mayMany],
  )
  const [sampleId, setSampleId] = useState<string>()
  const [shownLanguage, showLanguage] = useState<string>()
  // One that was removed, or is of another draft, is shown no more.
  const language = shownLanguage !== undefined && shownLanguage in draft.languages ? shownLanguage : undefined
  const [shownVariant, showVariant] = useState(0)
  const variant = draft.test.isOn && shownVariant < draft.test.variants.length ? shownVariant : 0
  const [isTried, setIsTried] = useState(false)
  const [checked, setChecked] = useState<{ json: string; plan: SendPlan }>()
  const [pressed, setPressed] = useState<string>()
  const [refused, setRefused] = useState<{ json: string; error: ApiFault }>()

  const [among, setAmong] = useState<string>()
  const sample = useSamplePerson(sampleId, among)
  const appName = sample.data?.look.name ?? name
  const typed = useMemo(() => composeMessage(draft, appName), [draft, appName])
  const wanted = useWantedValues(typed.message)
  const values = useMemo(() => composeValues(draft.values, wanted), [draft.values, wanted])
  const composed = useMemo(() => withValues(typed, values), [typed, values])
  const shown = useMemo(
    () => withValues(composeMessage(variantDraft(draft, variant), appName), values),
    [draft, variant, appName, values],
  )
  const chosen = useMemo(() => composeReceivers(draft), [draft])
  const counted = useReceiverCount(draft.product, chosen.receivers, draft.flags.live)
  const { asked, data: reached, isChosen, isStale } = counted
  useEffect(() => {
    if (isChosen && !isStale && reached?.count) setAmong(asked)
  }, [isChosen, isStale, reached, asked])
  const rendered = useRenderedTexts(shown.message, sample.data?.person?.userId, language)
  const request = useMemo(() => ({ ...composed.message, ...chosen.receivers }), [composed, chosen])
  const json = useMemo(() => JSON.stringify(request), [request])
  const valueFaults = findValueFaults(draft.values, wanted)
  const faults: Partial<Record<string, LocalFault>> = { ...composed.faults, ...valueFaults, ...chosen.faults }
  // A test goes at once, whenever the message is to go.
  const first = Object.entries(shown.faults).find(([field]) => field !== 'sendAt' && !field.startsWith('repeat'))
  const sayFirst = (found: [string, LocalFault | undefined] | undefined) =>
    found && `${fieldLabel(found[0], texts)}: ${texts.faults[found[1] as LocalFault]}`
  const isWhole = Object.keys(faults).length === 0

  const showPlace = useCallback((field: unknown) => {
    showVariant((now) => variantOf(field, now))
    showLanguage((now) => languageOf(field, now))
  }, [])
  const refuse = useCallback(
    (refusedJson: string, error: unknown) => {
      if (!(error instanceof ApiFault)) return
      setRefused({ json: refusedJson, error })
      const field = error.details?.field
      showPlace(field)
      focusField(field)
    },
    [showPlace],
  )
  const planning = useMutation({
    mutationFn: (asked: string) =>
      call<typeof panelPlanSend>('POST', appPath(appId, '/send/plan'), { body: JSON.parse(asked) }),
    onSuccess: (plan, asked) => setChecked({ json: asked, plan }),
    onError: (error, asked) => refuse(asked, error),
  })
  const check = () => {
    setIsTried(true)
    setRefused(undefined)
    setPressed(undefined)
    if (isWhole) {
      planning.mutate(json)
      return
    }
    const [field] = Object.keys(faults)
    showPlace(field)
    focusField(field)
  }

  const forgetWanted = useCallback(() => setPressed(undefined), [])

  const begin = () => {
    setChecked(undefined)
    setIsTried(false)
  }

  const sending: Sending = {
    draft,
    change: kept.change,
    changeNotification: (changes) => kept.change({ notification: { ...draft.notification, ...changes } }),
    faultOf: (field) => {
      const own = faults[field]
      if (own !== undefined && (isTried || loud.includes(own))) return texts.faults[own]
      const theirs = refused?.json === json ? refused.error.details?.field : undefined
      const isTheirs = typeof theirs === 'string' && isFieldOf(withoutFirst(theirs), field)
      return isTheirs && refused ? sayAtField(say(refused.error)) : undefined
    },
    language,
    showLanguage,
    removeLanguage: kept.removeLanguage,
    variant,
    showVariant,
    renderedOf: (field, typed) => rendered && findRendered(rendered, field, typed),
    wanted,
    sample: sample.data,
  }
  return {
    ...kept,
    sending,
    counted,
    request,
    /** Of the variant that is shown. */
    message: shown.message,
    /** The first of what is missing or wrong in the message itself, with its field. */
    messageFault: sayFirst(first),
    /** The same of what goes as a test, which has its values. */
    testFault: sayFirst(first ?? Object.entries(valueFaults)[0]),
    isAllowed: mayMany || readUserIds(draft.who.users).ids.length <= personalUsers,
    needsFixing: isTried && !isWhole,
    check,
    /** Checks what is on the page, because the member wants to send it. */
    checkToSend: () => {
      check()
      setPressed(json)
    },
    /** The member wants to send what is on the page now, once it is checked. */
    isWanted: pressed === json,
    forgetWanted,
    isChecking: planning.isPending,
    checkFault:
      planning.error && planning.variables === json ? planning.error : refused?.json === json && refused.error,
    plan: checked?.plan,
    /** The dry run is of what is on the page now. */
    isFresh: checked?.json === json,
    refuse: (error: ApiFault) => {
      setChecked(undefined)
      refuse(json, error)
    },
    startNew: () => {
      begin()
      kept.startNew()
    },
    showStored: (stored: StoredDraft) => {
      begin()
      kept.showStored(stored)
    },
    chooseSample: (userId: string | undefined) => {
      setSampleId(userId)
      if (userId === undefined && sampleId === undefined) void sample.refetch()
    },
  }
}

export type Composer = ReturnType<typeof useComposer>
