import { Checkbox, Select, Stack } from '@mantine/core'
import type { listCategories } from '@peyk/contract'
import { useAppQuery } from '../../../api/use-app-query.ts'
import { textIn } from '../../../parts/text-in.ts'
import { useLanguage, useTexts } from '../../../texts/LanguageProvider.tsx'
import { useSending } from '../sending.ts'

/** What kind of message it is, where the app has kinds. */
export function CategoryField() {
  const { rules } = useTexts()
  const { language } = useLanguage()
  const { draft, change, faultOf } = useSending()
  const categories = useAppQuery<typeof listCategories>('/categories')
  const offered = categories.data?.data ?? []
  if (offered.length === 0 && draft.category === '') return null
  const isGone = draft.category !== '' && categories.isSuccess && !offered.some(({ id }) => id === draft.category)
  return (
    <Stack gap="xs">
      <Select
        label={rules.category}
        description={rules.categoryText}
        data={[
          { value: '', label: rules.transactional },
          ...offered.map(({ id, name }) => ({ value: id, label: textIn(name, language) })),
          ...(isGone ? [{ value: draft.category, label: draft.category }] : []),
        ]}
        value={draft.category}
        onChange={(category) => change({ category: category ?? '' })}
        allowDeselect={false}
        error={faultOf('category')}
      />
      {draft.category !== '' && (
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
