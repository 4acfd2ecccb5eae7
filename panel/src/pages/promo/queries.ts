import type { panelCodes, panelPromo } from '@peyk/contract'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { appPath, call } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppQuery } from '../../api/use-app-query.ts'

export function usePromo() {
  const { appId } = useApp()
  return useInfiniteQuery({
    queryKey: [...appKey(appId, '/promo'), 'list'],
    queryFn: ({ signal, pageParam }) =>
      call<typeof panelPromo>('GET', appPath(appId, '/promo'), { query: { cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
  })
}

export type CodeQuestion = { code: string } | { user: string }

export function useCodes(question: CodeQuestion | undefined) {
  return useAppQuery<typeof panelCodes>('/promo/codes', question, { enabled: question !== undefined, keepLast: false })
}
