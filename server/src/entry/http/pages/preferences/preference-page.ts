import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { readAppLooks } from '#features/accounts/apps/get-app-look.ts'
import { listCategories } from '#features/categories/list-categories.ts'
import { changePreferences } from '#features/categories/preferences/change-preferences.ts'
import { getPreferences } from '#features/categories/preferences/get-preferences.ts'
import { openPreferenceLink } from '#features/categories/preferences/preference-link.ts'
import { limitByAddress } from '../../gate/address-limit.ts'
import type { HttpServices } from '../../http-services.ts'
import type { Observer } from '../../operations/observe.ts'
import { drawDeadLink, drawPreferencePage, preferencePolicy } from './draw-preference-page.ts'
import { readLanguages } from './preference-texts.ts'

const path = '/preferences/:token'

interface Owner {
  ctx: Context
  appName: string
  userId: string
}

/**
 * The page on which users choose which messages they want, for whoever has the link. Opening it changes nothing, since
 * programs open links too; its button does. A POST with `List-Unsubscribe=One-Click` (RFC 8058) refuses everything.
 */
export function addPreferencePage(app: FastifyInstance, services: HttpServices, observer: Observer): void {
  const limit = limitByAddress(services, 'preferences')

  const find = async (request: FastifyRequest): Promise<Owner | undefined> => {
    const { token } = request.params as { token: string }
    const found = openPreferenceLink(services.external, token)
    const look = found && (await readAppLooks(services.store, [found.appId])).get(found.appId)
    if (!found || !look) return undefined
    const { store, log, now, external } = services
    const ctx: Context = { app: { id: found.appId, label: look.label }, store, log, now, external }
    return { ctx, appName: look.name, userId: found.userId }
  }

  const show = async (request: FastifyRequest, reply: FastifyReply, owner: Owner | undefined, isSaved = false) => {
    const languages = readLanguages(request.headers['accept-language'])
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': preferencePolicy,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      vary: 'accept-language',
    })
    observer.observe(request, `${request.method} ${path}`, owner ? 200 : 404)
    if (!owner) return reply.status(404).send(drawDeadLink(languages))
    const { ctx, appName, userId } = owner
    const { data: categories } = await listCategories(ctx)
    const preferences = await getPreferences(ctx, { userId })
    return reply.send(drawPreferencePage({ appName, categories, preferences, languages, isSaved }))
  }

  const options = {
    schema: { hide: true } as object,
    bodyLimit: limits.preferenceFormBytes,
    // Anybody can send these requests, so they are counted before a body is read.
    onRequest: async (request: FastifyRequest) => limit(request),
  }
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
    )
    scope.get(path, options, async (request, reply) => show(request, reply, await find(request)))
    scope.post(path, options, async (request, reply) => {
      const owner = await find(request)
      if (owner) await changePreferences(owner.ctx, { userId: owner.userId, ...(await readChoice(owner.ctx, request)) })
      return show(request, reply, owner, true)
    })
  })
}

/** The submitted choice. Forms omit unchecked boxes. */
async function readChoice(ctx: Context, { body }: FastifyRequest) {
  const form = body instanceof URLSearchParams ? body : new URLSearchParams()
  if (form.get('List-Unsubscribe') === 'One-Click') return { all: false }
  const wanted = new Set(form.getAll('wanted'))
  const { data } = await listCategories(ctx)
  return { all: form.get('all') === 'true', categories: Object.fromEntries(data.map(({ id }) => [id, wanted.has(id)])) }
}
