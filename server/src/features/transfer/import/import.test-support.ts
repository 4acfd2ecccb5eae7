import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeGuardedFolder } from '@peyk/test/runner/guard.ts'
import sql from 'sql-template-tag'
import type { RowFile } from '#base/answers/row-file.ts'
import type { Context } from '#base/context.ts'
import { readInstallationAnswers } from '../../installations/read/read-installation-answers.ts'
import { exportUsers } from '../exports/export-users.ts'
import { type ImportOrder, importFile } from './import-file.ts'

/** Writes files into the test file's own folder. Call it at the top of the test file. */
export async function createFiles() {
  const folder = await makeGuardedFolder('peyk-import-')
  let files = 0
  const fileOf = async (text: string | Buffer, ending = 'csv'): Promise<string> => {
    const file = join(folder, `${++files}.${ending}`)
    await writeFile(file, text)
    return file
  }
  const ndjson = (...lines: object[]) => fileOf(lines.map((line) => JSON.stringify(line)).join('\n'), 'ndjson')
  return { fileOf, ndjson }
}

export function bring(ctx: Context, file: string, order: Partial<ImportOrder> = {}) {
  const format = file.includes('.csv') ? 'csv' : 'ndjson'
  const usual = { file, format, map: new Map(), deviceTypes: new Map(), isDryRun: false, onProgress: () => {} } as const
  return importFile(ctx, { ...usual, ...order })
}

export async function usersOf(ctx: Context): Promise<Record<string, unknown>[]> {
  const { columns, rows }: RowFile = await exportUsers(ctx, { deviceTokens: true })
  const users: Record<string, unknown>[] = []
  for await (const row of rows)
    users.push(Object.fromEntries(Object.keys(columns).map((name, index) => [name, row[index]])))
  return users.sort((a, b) => (String(a.userId) < String(b.userId) ? -1 : 1))
}

export const refusedOf = async (file: string): Promise<{ line: number; why: string }[]> =>
  (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Device tokens in the form of each provider; the same for the same number. */
export const tokens = {
  apns: (number: number) => number.toString(16).padStart(64, 'a'),
  fcm: (number: number) => `fid-${number}:APA91b${'x'.repeat(30)}`,
}

export async function devicesOf(ctx: Context) {
  const numbers = await ctx.store.query<{ installation_no: number }>(
    sql`select installation_no from installations where app_id = ${ctx.app.id} order by installation_no`,
  )
  return readInstallationAnswers(
    ctx,
    numbers.map(({ installation_no }) => installation_no),
  )
}
