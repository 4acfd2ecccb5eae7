import { useDebouncedValue } from '@mantine/hooks'
import type {
  BodyOf,
  ComposedMessage,
  LocalTime,
  panelCampaigns,
  panelCodesLeft,
  panelCountReceivers,
  panelFindPeople,
  panelMoments,
  panelRenderMessage,
  panelSamplePerson,
  panelWantedValues,
  Repeat,
  WantedValue,
} from '@peyk/contract'
import { useMemo, useState } from 'react'
import { longestPauseMs, useAnswerTime, useSettled } from '../../api/typing-pause.ts'
import { useAppQuery } from '../../api/use-app-query.ts'
import { isTemplate } from './fields/insert-template.ts'

const typingMs = 300

/** How many would receive it, asked when typing pauses. An answer to an earlier question is never shown as the newest. */
export function useReceiverCount(
  product: ComposedMessage['product'],
  receivers: Partial<ComposedMessage>,
  live: boolean,
) {
  const asked = useMemo(() => {
    const question: BodyOf<typeof panelCountReceivers> = { product, ...receivers, live }
    return JSON.stringify(question)
  }, [product, receivers, live])
  const [pauseMs, setPauseMs] = useState(longestPauseMs)
  const settled = useSettled(asked, pauseMs)
  const isChosen = Object.keys(receivers).length > 0
  const result = useAppQuery<typeof panelCountReceivers>('/send/count', undefined, {
    enabled: isChosen && settled === asked,
    body: JSON.parse(settled),
    staleTime: 5_000,
  })
  useAnswerTime(result.isFetching, setPauseMs)
  return { ...result, asked, isChosen, isStale: settled !== asked || result.isPlaceholderData || result.isFetching }
}

/** The texts with templates, written for somebody. The last answer stands in for the next only while that is on its way. */
export function useRenderedTexts(message: ComposedMessage, userId: string | undefined, language: string | undefined) {
  const asked = useMemo(() => JSON.stringify(message), [message])
  const [settled] = useDebouncedValue(asked, typingMs)
  const settledMessage: ComposedMessage = JSON.parse(settled)
  const rendered = useAppQuery<typeof panelRenderMessage>('/send/render', undefined, {
    enabled: userId !== undefined && isTemplate(settled),
    body: {
      ...settledMessage,
      for: { userId: userId ?? '', ...(settledMessage.contents && { language: language ?? 'default' }) },
    },
    staleTime: 60_000,
  })
  const isOld = rendered.isPlaceholderData && (rendered.fetchStatus !== 'fetching' || rendered.failureCount > 0)
  return isOld ? undefined : rendered.data
}

const noValues: readonly WantedValue[] = []

/** The values that the texts ask for, in all languages and variants. */
export function useWantedValues(message: ComposedMessage): readonly WantedValue[] {
  const asked = useMemo(() => JSON.stringify(message), [message])
  const [settled] = useDebouncedValue(asked, typingMs)
  const mayAsk = isTemplate(settled) && settled.includes('values')
  const wanted = useAppQuery<typeof panelWantedValues>('/send/values', undefined, {
    enabled: mayAsk,
    body: JSON.parse(settled),
    staleTime: 60_000,
  })
  return mayAsk ? (wanted.data?.values ?? noValues) : noValues
}

/** Somebody of whom `among` (as JSON) says that they would receive it, unless a user is named. */
export function useSamplePerson(userId: string | undefined, among: string | undefined) {
  const body: BodyOf<typeof panelSamplePerson> =
    userId === undefined ? (among ? { among: JSON.parse(among) } : {}) : { userId }
  return useAppQuery<typeof panelSamplePerson>('/send/person', undefined, {
    body,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** When a message that repeats would go first; undefined while that is not known. */
export function useNextMoments(repeat: Repeat | undefined, sendAt: number | LocalTime): number[] | undefined {
  const asked = JSON.stringify({ repeat, sendAt })
  const [settled] = useDebouncedValue(asked, typingMs)
  const moments = useAppQuery<typeof panelMoments>('/send/moments', undefined, {
    enabled: repeat !== undefined && settled === asked,
    body: JSON.parse(settled),
    staleTime: 60_000,
  })
  return moments.isError || repeat === undefined ? undefined : moments.data?.next
}

export function usePeople(search: string, isOpen: boolean) {
  const [settled] = useDebouncedValue(search.trim(), typingMs)
  return useAppQuery<typeof panelFindPeople>('/send/people', { search: settled }, { enabled: isOpen })
}

export function useCodesLeft(trackId: string, isAsked: boolean) {
  const [settled] = useDebouncedValue(trackId.trim(), typingMs)
  return useAppQuery<typeof panelCodesLeft>('/send/codes', { trackId: settled }, { enabled: isAsked })
}

const mostCampaigns = 10

export function useTrackIds(search: string) {
  const [settled] = useDebouncedValue(search.trim(), typingMs)
  return useAppQuery<typeof panelCampaigns>('/campaigns', { search: settled, limit: mostCampaigns })
}

/** Known only when all that have the word were listed. */
export function useIsCampaignMissing(trackId: string): boolean {
  const wanted = trackId.trim()
  const { data, isPlaceholderData } = useTrackIds(wanted)
  const [settled] = useDebouncedValue(wanted, typingMs)
  if (data === undefined || isPlaceholderData || settled !== wanted || data.data.length === mostCampaigns) return false
  return data.data.every((campaign) => campaign.trackId !== wanted)
}
