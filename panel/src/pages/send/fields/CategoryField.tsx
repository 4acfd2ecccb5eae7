import { Checkbox, Select, Stack } from '@mantine/core'
import type { getApp, listCategories } from '@peyk/contract'
import { useAppQuery } from '#api/use-app-query.ts'
import { textIn } from '#parts/text-in.ts'
import { useLanguage, useTexts } from '#texts/LanguageProvider.tsx'
import { transactional } from '../draft/draft.ts'
import { useSending } from '../sending.ts'
import { categoryChoices } from './category-choices.ts'

/** What kind of message it is, where the app has kinds. */
export function CategoryField() {
  const { rules } = useTexts()
  const { language } = useLanguage()
  const { draft, change, faultOf } = useSending()
  const categories = useAppQuery<typeof listCategories>('/categories')
  const app = useAppQuery<typeof getApp>('/app')
  const offered = categories.data?.data ?? []
  const choices = categoryChoices({
    chosen: draft.category,
    known: offered.map(({ id }) => id),
    groupCategory: app.data?.groupCategory,
    isToGroup: draft.who.kind !== 'users',
  })
  if (offered.length === 0 && choices.value === '') return null
  const nameOf = (id: string) => {
    const category = offered.find((each) => each.id === id)
    return category ? textIn(category.name, language) : id
  }
  const labelOf = (value: string) => {
    if (value === transactional) return rules.transactional
    if (value !== '') return nameOf(value)
    return choices.unchosen === undefined ? rules.transactional : rules.asGroups(nameOf(choices.unchosen))
  }
  return (
    <Stack gap="xs">
      <Select
        label={rules.category}
        description={rules.categoryText}
        data={choices.values.map((value) => ({ value, label: labelOf(value) }))}
        value={choices.value}
        onChange={(category) => change({ category: category ?? '' })}
        allowDeselect={false}
        error={faultOf('category')}
      />
      {choices.hasLimits && (
        <>
          <Checkbox
            label={rules.ignoreQuietHours}
            checked={draft.ignoresQuietHours}
            onChange={(event) => change({ ignoresQuietHours: event.currentTarget.checked })}
          />
          <Checkbox
            label={rules.waitWhenCapped}
            checked={draft.waitsWhenCapped}
            onChange={(event) => change({ waitsWhenCapped: event.currentTarget.checked })}
          />
        </>
      )}
    </Stack>
  )
}
