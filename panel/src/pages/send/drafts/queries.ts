import type {
  DraftLine,
  panelDeleteDraft,
  panelDraft,
  panelDrafts,
  panelRenameDraft,
  panelSaveDraft,
  StoredDraft,
} from '@peyk/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiFault, appPath, call } from '#api/call.ts'
import { useApp } from '#api/use-app.ts'
import { appKey, useAppMutation, useAppQuery } from '#api/use-app-query.ts'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { formVersion } from '../draft/open-draft.ts'
import { randomId } from '../draft/random-id.ts'

const pathOf = (id: string) => `/drafts/${id}`

export function useDrafts() {
  return useAppQuery<typeof panelDrafts>('/drafts', undefined, { staleTime: 0 })
}

export function useRenameDraft(id: string) {
  return useAppMutation<typeof panelRenameDraft>('PUT', `${pathOf(id)}/name`, { refreshes: ['/drafts'] })
}

/** Reads a draft when it is asked for. */
export function useReadDraft() {
  const { appId } = useApp()
  const { drafts: texts } = useTexts()
  return useMutation({
    mutationFn: async (id: string) => {
      const stored = await call<typeof panelDraft>('GET', appPath(appId, pathOf(id)))
      if (stored.formVersion > formVersion) throw new ApiFault(409, { error: { message: texts.newer } }, null)
      return stored
    },
  })
}

/** Deletes a draft, and answers what it was. */
export function useDeleteDraft() {
  const { appId } = useApp()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id }: Pick<DraftLine, 'id'>) => {
      const path = appPath(appId, pathOf(id))
      const stored = await call<typeof panelDraft>('GET', path)
      await call<typeof panelDeleteDraft>('DELETE', path)
      return stored
    },
    onSettled: () => client.invalidateQueries({ queryKey: appKey(appId, '/drafts') }),
  })
}

/** Saves a deleted draft anew. */
export function useRestoreDraft() {
  const { appId } = useApp()
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ name, isNamed, formVersion, form }: StoredDraft) =>
      call<typeof panelSaveDraft>('PUT', appPath(appId, pathOf(randomId())), {
        body: { version: 0, name, isNamed, formVersion, form, editorId: randomId() },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: appKey(appId, '/drafts') }),
  })
}
