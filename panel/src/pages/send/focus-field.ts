import { fieldInVariant } from './variants/variant-place.ts'

/** Whether what the service names, such as "users[3]", is this field or within it. */
export function isFieldOf(named: unknown, field: string): boolean {
  return (
    typeof named === 'string' && (named === field || named.startsWith(`${field}[`) || named.startsWith(`${field}.`))
  )
}

/** Brings the field that is wrong into view, once it says what is wrong. */
export function focusField(named: unknown): void {
  if (typeof named !== 'string') return
  // The fields of a variant and of a language stand where those of the message do.
  const place = fieldInVariant(named).replace(/^contents\.[^.]+\./, '')
  setTimeout(() => {
    const fields = [...document.querySelectorAll<HTMLElement>('[data-field]')]
    const found =
      fields.find((element) => element.dataset.field === place) ??
      fields.find((element) => isFieldOf(place, element.dataset.field ?? ''))
    found?.scrollIntoView({ block: 'center' })
    found?.focus({ preventScroll: true })
  }, 50)
}
