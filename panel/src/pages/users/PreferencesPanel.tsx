import { Stack, Switch } from '@mantine/core'
import type { changePreferences, getPreferences, listCategories, PreferencesChange } from '@peyk/contract'
import { useRef, useState } from 'react'
import { useApp } from '../../api/use-app.ts'
import { useAppMutation, useAppQuery } from '../../api/use-app-query.ts'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { Panel } from '../../parts/Panel.tsx'
import { textIn } from '../../parts/text-in.ts'
import { useLanguage, useTexts } from '../../texts/LanguageProvider.tsx'

/** What the user wants of the app's categories; nothing where the app has none. */
export function PreferencesPanel({ userId }: { userId: string }) {
  const { rules } = useTexts()
  const { language } = useLanguage()
  const { may } = useApp()
  const toast = useToast()
  const path = `/users/${encodeURIComponent(userId)}/preferences`
  const categories = useAppQuery<typeof listCategories>('/categories')
  const preferences = useAppQuery<typeof getPreferences>(path)
  const save = useAppMutation<typeof changePreferences>('PUT', path, { refreshes: [path] })
  const [said, setSaid] = useState<PreferencesChange>()
  const newest = useRef(0)
  const wanted = merge(preferences.data, said)
  const offered = categories.data?.data ?? []
  if (!wanted || offered.length === 0) return null
  // Shown at once; what the service has is shown when it has answered to the last of them.
  const change = (changed: PreferencesChange) => {
    const own = ++newest.current
    setSaid((before) => ({ ...before, ...changed, categories: { ...before?.categories, ...changed.categories } }))
    void save
      .mutateAsync(changed)
      .catch(toast.failed)
      .finally(() => {
        if (own === newest.current) setSaid(undefined)
      })
  }
  const isFixed = !may('edit-users')
  return (
    <Panel title={rules.preferences} lead={rules.preferencesLead}>
      <Stack gap="sm">
        <Switch
          label={rules.wantsAny}
          checked={wanted.all}
          disabled={isFixed}
          onChange={(event) => change({ all: event.currentTarget.checked })}
        />
        {offered.map(({ id, name }) => (
          <Switch
            key={id}
            ms="md"
            label={textIn(name, language)}
            checked={wanted.all && (wanted.categories[id] ?? true)}
            disabled={isFixed || !wanted.all}
            onChange={(event) => change({ categories: { [id]: event.currentTarget.checked } })}
          />
        ))}
      </Stack>
    </Panel>
  )
}

function merge(
  known: { all: boolean; categories: Record<string, boolean> } | undefined,
  changed: PreferencesChange | undefined,
) {
  return known && { all: changed?.all ?? known.all, categories: { ...known.categories, ...changed?.categories } }
}
