import { Switch } from '@mantine/core'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { useSending } from '../sending.ts'
import { addCopy } from './draft-variants.ts'

/** Switched off, the variants are kept for when it is switched on again. */
export function TestSwitch() {
  const { variants: texts } = useTexts()
  const { draft, change, showVariant } = useSending()
  const { test } = draft
  const toggle = (isOn: boolean) => {
    if (!isOn || test.variants.length > 0) return change({ test: { ...test, isOn } })
    change(addCopy(draft, 0))
    showVariant(1)
  }
  return (
    <Switch
      label={texts.test}
      description={texts.testText}
      checked={test.isOn}
      onChange={(event) => toggle(event.currentTarget.checked)}
    />
  )
}
