import type { LiveData, LiveTopic } from '@peyk/contract'
import { type QueryKey, useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { type LiveOptions, useLive } from './live.ts'

/**
 * Puts what the live stream brings into what a query was answered. What comes while the query is on its way is put into
 * that answer, too: it may be of an earlier moment.
 */
export function useLiveMerge<Topic extends LiveTopic, Data>(
  topic: Topic,
  queryKey: QueryKey,
  merge: (old: Data, news: LiveData[Topic]) => Data,
  options?: LiveOptions,
): void {
  const client = useQueryClient()
  const early = useRef<LiveData[Topic][]>([])
  const isFetching = useIsFetching({ queryKey, exact: true }) > 0
  const put = (news: readonly LiveData[Topic][]) =>
    client.setQueryData<Data>(queryKey, (old) => old && news.reduce(merge, old))
  useLive(
    topic,
    (news) => {
      if (client.isFetching({ queryKey, exact: true }) > 0) early.current.push(news)
      put([news])
    },
    options,
  )
  const putEarly = useEffectEvent(() => put(early.current.splice(0)))
  useEffect(() => {
    if (!isFetching) putEarly()
  }, [isFetching])
}
