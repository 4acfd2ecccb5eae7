import type { AnyEndpoint } from '@peyk/contract'
import { apiRoutes } from '@peyk/server/entry/http/api.ts'
import { clientRoutes } from '@peyk/server/entry/http/client.ts'
import { panelRoutes, sessionRoutes } from '@peyk/server/entry/http/panel.ts'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

interface Served {
  method: string
  path: string
  endpoint: AnyEndpoint
}

/** Every route whose answer is JSON. */
export const jsonRoutes: readonly Served[] = [
  ...apiRoutes.filter(({ endpoint }) => !endpoint.lines && !endpoint.download),
  ...clientRoutes,
  ...sessionRoutes.map((route) => ({ ...route, path: `/panel/api${route.path}` })),
  ...panelRoutes
    .filter(({ kind }) => kind === 'json')
    .map((route) => ({ ...route, path: `/panel/api/apps/:app${route.path}` })),
]

const patterns = jsonRoutes
  .map((route) => ({ ...route, pattern: new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}/?$`, 'i') }))
  // As the router does: what is written out goes before what is variable.
  .sort((a, b) => (a.path.replaceAll(':', '~') < b.path.replaceAll(':', '~') ? -1 : 1))

const compiled = new Map<AnyEndpoint, ReturnType<typeof Compile>>()

/** An answer is what the contract says, and has no field that the contract does not name. */
export function checkAnswer(method: string, target: string, body: unknown): void {
  const path = target.split('?', 1)[0] as string
  const route = patterns.find((each) => each.method === method && each.pattern.test(path))
  if (!route) return
  const check = compiled.get(route.endpoint) ?? Compile(withoutOtherFields(route.endpoint.answer))
  compiled.set(route.endpoint, check)
  if (check.Check(body)) return
  const faults = (check.Errors(body) as unknown as { instancePath: string; message: string; params: object }[])
    .slice(0, 5)
    .map(({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`)
  throw new Error(
    `${method} ${route.path} answered what its contract does not say:\n${faults.join('\n')}\n${JSON.stringify(body).slice(0, 2000)}`,
  )
}

/** A schema that refuses fields it does not name, unless it says that there may be others. */
export function withoutOtherFields(schema: TSchema): TSchema {
  return strict(schema) as TSchema
}

function strict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strict)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, strict(value)]))
  const { type, properties, additionalProperties } = copy
  return type === 'object' && properties && additionalProperties === undefined
    ? { ...copy, additionalProperties: false }
    : copy
}
