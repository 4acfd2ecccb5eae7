import { Text } from '@mantine/core'
import type { Template } from '@peyk/contract'
import { Mono } from '../../parts/Mono.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'

/** The names of the values that a send with this template gives. */
export function TemplateValues({ values }: { values: Template['values'] | undefined }) {
  const { templates: texts } = useTexts()
  const format = useFormat()
  if (!values) return null
  const names = values.map(({ name }) => name)
  return (
    <Text size="xs" c="dimmed" truncate title={format.list(names)}>
      {texts.values} <Mono>{names.join(', ')}</Mono>
    </Text>
  )
}
