import { randomUUID } from 'node:crypto'
import type { Context } from '@peyk/server/base/context.ts'
import type { Role } from '@peyk/server/features/accounts/members/member-rules.ts'
import { openSession } from '@peyk/server/features/accounts/sessions/open-session.ts'
import sql from 'sql-template-tag'
import { checkAnswer } from './service/check-answer.ts'
import type { Answer } from './service/test-server.ts'

/** A member of the app who is signed in, without a password: those take half a second each. */
export async function createTestMember(ctx: Context, role: Role): Promise<{ id: string; email: string; key: string }> {
  const id = randomUUID()
  const email = `${role}-${id.slice(0, 8)}@shop.example`
  await ctx.store.query(sql`insert into members (member_id, email, password_hash) values (${id}, ${email}, 'none')`)
  await ctx.store.query(sql`insert into member_apps (app_id, member_id, role) values (${ctx.app.id}, ${id}, ${role})`)
  const { key } = await openSession(ctx, { memberId: id, browser: 'test', byLink: false })
  return { id, email, key }
}

/** Calls as the panel's page does: `await call('PUT', '/apps/shop/app', { name: 'x' })`. */
export function panelCaller(baseUrl: string, key?: string) {
  return async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | undefined> = {},
  ): Promise<Answer> => {
    const all = {
      origin: baseUrl,
      ...(key !== undefined && { cookie: `peyk=${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    }
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const response = await fetch(`${baseUrl}/panel/api${path}`, {
      method,
      headers: given,
      redirect: 'manual',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    const answer = isJson ? JSON.parse(text) : text
    if (response.status === 200 && isJson) checkAnswer(method, `/panel/api${path}`, answer)
    return { status: response.status, body: answer, headers: response.headers }
  }
}
