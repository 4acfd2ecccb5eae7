/** Where test/run.ts wants what the tests have seen of rows; undefined when only some tests run. */
export const recordsFolder = process.env.PEYK_TEST_ROWS

/** What one statement of the product gave. */
export interface RecordedStatement {
  /** File, line and column of the call, as the stack has it. */
  place: string
  columns: { name: string; typeOid: number; wasNull: boolean }[]
}
