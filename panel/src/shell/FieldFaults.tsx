import { useEffect } from 'react'
import { sayFieldFault } from '../parts/fields/say-field-fault.ts'
import { useFormat, useTexts } from '../texts/LanguageProvider.tsx'

type Field = HTMLInputElement | HTMLTextAreaElement

const isField = (target: unknown): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement

/** Browsers say what is wrong with a field in their own language: here it is said in the panel's. */
export function FieldFaults() {
  const { common } = useTexts()
  const format = useFormat()
  useEffect(() => {
    const end = new AbortController()
    const on = { capture: true, signal: end.signal }
    const say = ({ target }: Event) => {
      if (!isField(target)) return
      target.setCustomValidity('')
      target.setCustomValidity(sayFieldFault(target, common.fieldFaults, format))
    }
    const forget = ({ target }: Event) => isField(target) && target.setCustomValidity('')
    // What was said of a field that has been filled since then, by a file for instance, would hold up the form.
    const forgetAll = ({ target }: Event) => {
      const button = target instanceof Element ? target.closest('button') : null
      if (button?.type !== 'submit') return
      for (const field of button.form?.elements ?? []) if (isField(field)) field.setCustomValidity('')
    }
    document.addEventListener('invalid', say, on)
    document.addEventListener('input', forget, on)
    document.addEventListener('click', forgetAll, on)
    return () => end.abort()
  }, [common, format])
  return null
}
