/** Its message is one line, meant for the person who starts the server. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

export class DataFolderInUseError extends EmbeddedPostgresError {
  override name = 'DataFolderInUseError'

  constructor(dataFolder: string, pid?: number) {
    const holder =
      pid === undefined ? 'another Peyk server, whose database answers' : `another Peyk server, process ${pid}`
    super(`The data folder ${dataFolder} is in use by ${holder}.`)
  }
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

export function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).trim().replace(/\s*\n\s*/g, ' / ')
}
