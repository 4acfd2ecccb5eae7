import { ConfigError } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import { BackupError } from '#base/store/backup/backup-error.ts'
import { ClockError } from '#base/store/clock/check-clock.ts'
import { EmbeddedPostgresError } from '#base/store/embedded/embedded-postgres-error.ts'
import { ExternalPostgresError } from '#base/store/external-postgres.ts'
import { CommandError, UsageError } from './command.ts'

/** One line on stderr, and the exit code. Only what nobody foresaw brings its stack. */
export function reportFailure(error: unknown, hint?: string): number {
  const { exitCode, message } = describeFailure(error)
  process.stderr.write(`peyk: ${message}${hint ? ` ${hint}` : ''}\n`)
  return exitCode
}

export function describeFailure(error: unknown): { exitCode: 1 | 2; message: string } {
  if (error instanceof UsageError || error instanceof ConfigError) return { exitCode: 2, message: error.message }
  if (error instanceof RequestError)
    return { exitCode: error.code === 'invalid-request' ? 2 : 1, message: error.message }
  if (
    error instanceof CommandError ||
    error instanceof BackupError ||
    error instanceof ClockError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof ExternalPostgresError
  ) {
    return { exitCode: 1, message: error.message }
  }
  if (error instanceof Error && 'severity' in error)
    return { exitCode: 1, message: `The database refused: ${error.message}.` }
  return { exitCode: 1, message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
