import { show } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'

export function noTemplate(id: string): RequestError {
  return new RequestError('not-found', `There is no template with the id ${show(id)}.`)
}

export function nameTaken(name: string, id: string): RequestError {
  return new RequestError('already-exists', `A template named ${show(name)} already exists: ${show(id)}.`, {
    details: { what: 'template', name, id },
  })
}

/** Who changes a template: a member by the panel, or an access token. */
export function authorOf({ member, token }: Pick<Context, 'member' | 'token'>): string {
  return member?.email ?? token?.name ?? ''
}
