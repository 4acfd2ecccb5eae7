import type { BodyOf, createTemplate, deleteTemplate, listTemplates, replaceTemplate, Template } from '@peyk/contract'
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiFault, appPath, call } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppMutation } from '../../api/use-app-query.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { templateOf } from '../send/draft/template-of.ts'

const refreshes = ['/templates']
/** With room for what makes it the name of a copy. */
const longestName = 85

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

/** Under the first name for a copy that is free. */
export function useDuplicateTemplate() {
  const { appId } = useApp()
  const { templates: texts } = useTexts()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ name, message }: Template) => {
      for (let copies = 1; ; copies++) {
        const body = { name: texts.copyOf(name.slice(0, longestName), copies), message: templateOf(message) }
        try {
          return await call<typeof createTemplate>('POST', appPath(appId, '/templates'), { body })
        } catch (error) {
          if (!(error instanceof ApiFault) || error.code !== 'already-exists') throw error
        }
      }
    },
    onSuccess: () => client.invalidateQueries({ queryKey: appKey(appId, '/templates') }),
  })
}
