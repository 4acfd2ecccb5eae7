import type { Texts } from '../../texts/en.ts'
import type { Format } from '../../texts/format.ts'

type Checked = Pick<HTMLInputElement, 'type' | 'minLength'> & { validity: Partial<ValidityState> }

/** What a browser finds wrong with a field, in the language of the panel. Empty: nothing. */
export function sayFieldFault(
  { type, minLength, validity }: Checked,
  words: Texts['common']['fieldFaults'],
  format: Pick<Format, 'number'>,
): string {
  if (validity.valid) return ''
  if (validity.valueMissing) return type === 'checkbox' ? words.unchecked : words.missing
  if (validity.typeMismatch) return type === 'email' ? words.email : words.url
  if (validity.tooShort) return words.short(format.number(minLength))
  return words.form
}
