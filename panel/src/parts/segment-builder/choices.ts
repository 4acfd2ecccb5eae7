/** How the value of a rule is typed: one, several, or a time as "so long ago" or as a date. */
export type ValueForm = 'one' | 'many' | 'ago' | 'date'

/** An operator together with the form of its value: what a person chooses. */
export interface Choice {
  operator: string
  form: ValueForm
}

const isTime = (kind: string) => kind === 'time' || kind === 'date'
const takesMany = (operator: string) => operator === 'include' || operator === 'not_include'

/** Whether a value is a number of hours, such as "6h". */
export function isAgo(value: unknown): value is string {
  return typeof value === 'string' && /^\d+(?:\.\d+)?h$/i.test(value.trim())
}

export function choiceOf(kind: string, operator: string, value: unknown): Choice {
  if (takesMany(operator)) return { operator, form: 'many' }
  if (!isTime(kind)) return { operator, form: 'one' }
  if (value === undefined) return { operator, form: operator === 'before' || operator === 'after' ? 'ago' : 'date' }
  return { operator, form: isAgo(value) ? 'ago' : 'date' }
}

/** All choices of a kind, in the order in which people need them. `used` is there whatever it is. */
export function listChoices(kind: string, operators: readonly string[], used: Choice): Choice[] {
  const choices = operators.flatMap((operator): Choice[] => {
    if (takesMany(operator)) return [{ operator, form: 'many' }]
    return isTime(kind) ? [{ operator, form: 'date' }] : [{ operator, form: 'one' }]
  })
  const agos: Choice[] = isTime(kind)
    ? [
        { operator: 'after', form: 'ago' },
        { operator: 'before', form: 'ago' },
      ]
    : []
  const listed = [
    ...agos,
    ...choices.filter(({ operator }) => operator === 'after'),
    ...choices.filter(({ operator }) => operator !== 'after'),
  ]
  return listed.some((choice) => sameChoice(choice, used)) ? listed : [...listed, used]
}

export function sameChoice(left: Choice, right: Choice): boolean {
  return left.operator === right.operator && left.form === right.form
}

/** What is left of a value when another operator is chosen. */
export function keepValue(value: unknown, from: Choice, to: Choice): unknown {
  if (from.form === to.form) return value
  if (from.form === 'one' && to.form === 'many') return value === undefined ? undefined : [value]
  if (from.form === 'many' && to.form === 'one') return Array.isArray(value) ? value[0] : value
  return undefined
}
