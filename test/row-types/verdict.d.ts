/** What is wrong with the type of a row, given the columns that the database answered with: 'ok', or a sentence. */
type RowVerdict<Row, Columns, Nulls> = [Exclude<keyof Columns, keyof Row>] extends [never]
  ? [Exclude<RequiredKeys<Row>, keyof Columns>] extends [never]
    ? [WronglyTyped<Row, Columns>] extends [never]
      ? [NeverNull<Row, Nulls>] extends [never]
        ? 'ok'
        : `${NeverNull<Row, Nulls> & string} can be null`
      : `${WronglyTyped<Row, Columns> & string} has another type in the database`
    : `${Exclude<RequiredKeys<Row>, keyof Columns> & string} is not among the columns`
  : `${Exclude<keyof Columns, keyof Row> & string} is a column and not in the type`

/** Of a row whose columns are not known beforehand there are none. */
type RequiredKeys<Row> = {
  [Key in keyof Row]-?: string extends Key ? never : object extends Pick<Row, Key> ? never : Key
}[keyof Row]

type WronglyTyped<Row, Columns> = {
  [Key in keyof Row & keyof Columns]: Fits<Row[Key], Columns[Key]> extends true ? never : Key
}[keyof Row & keyof Columns]

/** Narrower, where only some values are ever stored, or wider. */
type Fits<Declared, Column> = [NonNullable<Declared>] extends [Column]
  ? true
  : [Column] extends [NonNullable<Declared>]
    ? true
    : [unknown] extends [Declared]
      ? true
      : false

type NeverNull<Row, Nulls> = {
  [Key in keyof Row & Nulls]: [null] extends [Row[Key]] ? never : Key
}[keyof Row & Nulls]

type CheckedRow<Row, _Verdict extends 'ok'> = Row
