import type { Template } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { noTemplate } from './template-faults.ts'
import { findTemplate } from './template-store.ts'
import { withItsValues } from './with-values.ts'

export async function getTemplate(ctx: Context, { id }: { id: string }): Promise<Template> {
  const template = await findTemplate(ctx, id)
  if (!template) throw noTemplate(id)
  return withItsValues(template)
}
