import { closestWord } from '../../../base/closest-word.ts'
import { ImportFault } from './import-fault.ts'

const deviceFields = [
  ...['deviceType', 'deviceToken', 'language', 'timeZone', 'installDate', 'clientVersion', 'osVersion'],
  'subscriptions',
] as const
/** What a line can say. The first two of the last four are of our own exports, and say nothing that is imported. */
export const importFields: readonly string[] = [
  ...['userId', 'tags', 'attributes', 'installations', ...deviceFields],
  ...['createdAt', 'isGuest', 'tags.*', 'attributes.*'],
]

/** By the name of a column the field that it is; an empty one is left out. */
export type ColumnMap = ReadonlyMap<string, string>

/** Reads `column=field`. */
export function readColumnMap(given: readonly string[]): ColumnMap {
  return new Map(
    given.map((text) => {
      const at = text.lastIndexOf('=')
      if (at < 1) throw new ImportFault(`--map: expected column=field, got "${text}".`)
      const [column, field] = [text.slice(0, at), text.slice(at + 1)]
      if (field !== '' && !isField(field)) throw new ImportFault(`--map ${text}: ${unknown('field', field)}`)
      return [column, field]
    }),
  )
}

/** The field of a column; throws where nobody has said what it is. */
export function fieldOf(map: ColumnMap, column: string): string {
  const field = map.get(column) ?? column
  if (field === '' || isField(field)) return field
  throw new ImportFault(
    `${unknown('column', column)} Say what it is: --map "${column}=attributes.${column.replace(/\W+/g, '_')}", or --map "${column}=" to leave it out.`,
  )
}

function isField(field: string): boolean {
  return importFields.includes(field) || /^(tags|attributes)\.[^*]/.test(field)
}

function unknown(what: string, name: string): string {
  const meant = closestWord(name, importFields)
  return `There is no ${what} "${name}"${meant ? `; did you mean "${meant}"?` : ` among ${importFields.join(', ')}.`}`
}
