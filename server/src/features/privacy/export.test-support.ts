import { json } from 'node:stream/consumers'
import type { Context } from '#base/context.ts'
import { exportUser } from './export-user.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests look into it as who receives it does
export async function readExport(ctx: Context, input: { userId: string }): Promise<any> {
  return json((await exportUser(ctx, input)).read())
}
