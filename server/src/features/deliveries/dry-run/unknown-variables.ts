import sql from 'sql-template-tag'
import { closestWord } from '#base/closest-word.ts'
import { type Context, db } from '#base/context.ts'
import { listAttributeNames } from '../../installations/attributes/list-attribute-names.ts'
import type { MessageContent } from '../../messages/compose/compose-message.ts'
import { attributeIn, listVariables } from './message-variables.ts'

/** Something that a text asks for and nobody has: its place stays empty. */
export interface UnknownVariable {
  variable: string
  /** What was probably meant. */
  suggestion?: string
}

/** [sending.md#templates] What every recipient has, and what is given with the message. */
const always = ['userId', 'installationId', 'deviceType', 'promoCode', 'user.id', 'values']
const mostFound = 10

/** Variables of the message's texts that are no attribute of any user of the app. */
export async function findUnknownVariables(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'external'>,
  content: MessageContent,
): Promise<UnknownVariable[]> {
  const given = ctx.external.publicUrl === undefined ? always : [...always, 'preferencesUrl']
  const asked = listVariables(content).filter((variable) => !given.includes(variable))
  if (asked.length === 0) return []
  const rows = await db(ctx).query<{ name: string }>(sql`
    select name from attribute_names where app_id = ${ctx.app.id} and name = any(${asked.flatMap(attributeIn)}::text[])`)
  const known = new Set(rows.map(({ name }) => `user.${name}`))
  const unknown = asked.filter((variable) => !known.has(variable)).slice(0, mostFound)
  if (unknown.length === 0) return []
  const names = [...given, ...(await listAttributeNames(ctx)).map(({ name }) => `user.${name}`)]
  return unknown.map((variable) => {
    const suggestion = closestWord(variable, names) ?? closestWord(`user.${variable}`, names)
    return { variable, ...(suggestion !== undefined && { suggestion }) }
  })
}
