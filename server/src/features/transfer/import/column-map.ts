import { closestWord } from '#base/closest-word.ts'
import { ImportFault } from './import-fault.ts'

/** Fields of one device. */
export const deviceFields: readonly string[] = [
  ...['deviceType', 'deviceToken', 'webAuth', 'webP256dh', 'tokenStatus', 'optedOut', 'language', 'timeZone'],
  ...['utcOffset', 'installDate', 'launchTime', 'launchCount', 'clientVersion', 'osVersion', 'deviceModel'],
  'subscriptions',
]
/** All fields of a line. `createdAt` is part of Peyk's own exports and not imported. */
export const importFields: readonly string[] = [
  ...['userId', 'isGuest', 'tags', 'attributes', 'installations', ...deviceFields],
  ...['createdAt', 'tags.*', 'attributes.*'],
]

/** Fields by column name; an empty field leaves the column out. */
export type ColumnMap = ReadonlyMap<string, string>

/** The columns of a file, and how the caller maps them. */
export interface Columns {
  names: readonly string[]
  /** Columns named by the caller. Those mapped to a field must be in the file. */
  given: ColumnMap
  /** Columns that the file may have. */
  usual: ColumnMap
  ignoresRest: boolean
}

/** Reads `column=field`. */
export function readColumnMap(given: readonly string[]): ColumnMap {
  return new Map(
    given.map((text) => {
      const at = text.lastIndexOf('=')
      if (at < 1) throw new ImportFault(`--map: expected column=field, got "${text}".`)
      const [column, field] = [text.slice(0, at), text.slice(at + 1)]
      if (field !== '' && !isField(field))
        throw new ImportFault(`--map ${text}: There is no field ${quoteWithHint(field, importFields)}.`)
      return [column, field]
    }),
  )
}

/** Returns the field of each column. Throws one error that names all unknown columns. */
export function resolveColumns({ names, given, usual, ignoresRest }: Columns): ColumnMap {
  const missing = [...given].filter(([column, field]) => field !== '' && !names.includes(column))
  if (missing.length > 0)
    throw new ImportFault(
      `The file has no column ${missing.map(([column]) => quoteWithHint(column, names)).join(', ')}, which --map names.`,
    )
  const fields = new Map(names.map((name) => [name, given.get(name) ?? usual.get(name) ?? name]))
  const unknown = names.filter((name) => fields.get(name) !== '' && !isField(fields.get(name) as string))
  if (unknown.length > 0 && !ignoresRest)
    throw new ImportFault(
      `The import has no field for these columns: ${unknown.map((name) => quoteWithHint(name, importFields)).join(', ')}. ` +
        'Map each with --map "column=field" or --map "column=attributes.<name>", leave it out with --map "column=", or leave out all of them with --ignore-rest.',
    )
  for (const name of unknown) fields.set(name, '')
  return fields
}

/** Throws if two columns map to the same field, because one of them would be lost. */
export function checkUnique(names: readonly string[], fields: ColumnMap): void {
  const columnOf = new Map<string, string>()
  for (const column of names) {
    const field = fields.get(column) as string
    const other = columnOf.get(field)
    if (other !== undefined && field !== '')
      throw new ImportFault(
        `The columns "${other}" and "${column}" are both "${field}". Leave one out: --map "${other}=".`,
      )
    columnOf.set(field, column)
  }
}

function isField(field: string): boolean {
  return importFields.includes(field) || /^(tags|attributes)\.[^*]/.test(field)
}

function quoteWithHint(name: string, known: readonly string[]): string {
  const meant = closestWord(name, known)
  return `"${name}"${meant ? ` (did you mean "${meant}"?)` : ''}`
}
