import type { BodyOf, createTemplate, deleteTemplate, listTemplates, replaceTemplate } from '@peyk/contract'
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { appPath, call } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppMutation } from '../../api/use-app-query.ts'

const refreshes = ['/templates']

export function useTemplates(search: string) {
  const { appId } = useApp()
  return useInfiniteQuery({
    queryKey: [...appKey(appId, '/templates'), 'list', { search }],
    queryFn: ({ signal, pageParam }) =>
      call<typeof listTemplates>('GET', appPath(appId, '/templates'), {
        query: { search, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
  })
}

export function useCreateTemplate() {
  return useAppMutation<typeof createTemplate>('POST', '/templates', { refreshes })
}

export function useChangeTemplate() {
  const { appId } = useApp()
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: BodyOf<typeof replaceTemplate> & { id: string }) =>
      call<typeof replaceTemplate>('PUT', appPath(appId, `/templates/${encodeURIComponent(id)}`), { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: appKey(appId, '/templates') }),
  })
}

export function useDeleteTemplate(id: string) {
  return useAppMutation<typeof deleteTemplate>('DELETE', `/templates/${encodeURIComponent(id)}`, { refreshes })
}
