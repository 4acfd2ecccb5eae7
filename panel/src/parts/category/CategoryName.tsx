import type { listCategories } from '@peyk/contract'
import { useAppQuery } from '../../api/use-app-query.ts'
import { useLanguage } from '../../texts/LanguageProvider.tsx'
import { textIn } from '../text-in.ts'

/** What a category is called; its id where it is gone. */
export function CategoryName({ id }: { id: string }) {
  const { language } = useLanguage()
  const categories = useAppQuery<typeof listCategories>('/categories')
  const category = categories.data?.data.find((each) => each.id === id)
  return <bdi>{category ? textIn(category.name, language) : id}</bdi>
}
