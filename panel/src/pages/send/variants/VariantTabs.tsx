import { Button, Group, Stack, Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { useSending } from '../sending.ts'
import { addCopy } from './draft-variants.ts'
import { mostVariants } from './shares.ts'

/** Which variant's texts the fields are of. Without a test there are only the fields. */
export function VariantTabs({ children }: { children: ReactNode }) {
  const { variants: texts } = useTexts()
  const { draft, change, variant, showVariant } = useSending()
  const { isOn, variants } = draft.test
  if (!isOn) return children
  const add = () => {
    change(addCopy(draft, variant))
    showVariant(variants.length)
  }
  return (
    <Tabs value={String(variant)} onChange={(place) => showVariant(Number(place ?? 0))} keepMounted={false}>
      <Group gap="xs" mb="md" align="flex-end">
        <Tabs.List aria-label={texts.label}>
          {variants.map(({ name }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a variant is its place
            <Tabs.Tab key={place} value={String(place)} data-field={`variants[${place}]`}>
              {texts.variant(name)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {variants.length < mostVariants && (
          <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} />} onClick={add}>
            {texts.add}
          </Button>
        )}
      </Group>
      <Tabs.Panel value={String(variant)}>
        <Stack>{children}</Stack>
      </Tabs.Panel>
    </Tabs>
  )
}
