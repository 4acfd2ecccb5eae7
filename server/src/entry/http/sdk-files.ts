import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../../base/errors.ts'
import type { HttpServices } from './server.ts'

const folder = new URL('../../../../sdk/', import.meta.url)
const names = ['peyk.js', 'peyk.mjs', 'peyk-sw.js'] as const
const javascript = 'text/javascript; charset=utf-8'
const hidden = { schema: { hide: true } as object }

/**
 * The client library: /sdk/peyk.js for a script element, /sdk/peyk.mjs for import, /sdk/peyk-sw.js for the service
 * worker. Under /sdk/<version>/ they never change, so browsers keep them; the others are asked for again.
 */
export function addSdkFiles(app: FastifyInstance, { config }: Pick<HttpServices, 'config'>): void {
  const isDevelopment = config.mode === 'development'
  const kept = new Map<string, Promise<SdkFile>>()
  const read = (name: string): Promise<SdkFile> => {
    if (isDevelopment) return readSdkFile(name, { mayBuild: true })
    const file = kept.get(name) ?? readSdkFile(name, { mayBuild: false })
    kept.set(name, file)
    file.catch(() => kept.delete(name))
    return file
  }
  for (const name of names) {
    const send = async (request: FastifyRequest, reply: FastifyReply) => {
      const file = await read(name)
      const { version } = request.params as { version?: string }
      if (version !== undefined && version !== file.version) throw unknownVersion(version, file.version)
      const isFixed = version !== undefined && !isDevelopment
      reply.header('cache-control', isFixed ? 'public, max-age=31536000, immutable' : 'public, no-cache')
      if (name === 'peyk-sw.js') reply.header('service-worker-allowed', '/')
      return sendFile(request, reply, file)
    }
    app.route({ method: ['GET', 'HEAD'], url: `/sdk/${name}`, ...hidden, handler: send })
    app.route({ method: ['GET', 'HEAD'], url: `/sdk/:version/${name}`, ...hidden, handler: send })
  }
}

interface SdkFile {
  version: string
  etag: string
  plain: Buffer
  zipped: Buffer
}

/** In development a changed source is built first, so there is nothing to run by hand. */
async function readSdkFile(name: string, { mayBuild }: { mayBuild: boolean }): Promise<SdkFile> {
  if (mayBuild) await build()
  const { version } = JSON.parse(await readFile(new URL('package.json', folder), 'utf8')) as { version: string }
  const plain = await readFile(new URL(`dist/${name}`, folder)).catch(() => {
    throw new RequestError('not-found', 'The client library was not built: "npm install" does it.')
  })
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { version, etag, plain, zipped: gzipSync(plain, { level: 9 }) }
}

let building: Promise<void> | undefined

function build(): Promise<void> {
  building ??= import(new URL('build.js', folder).href)
    .then(({ buildSdk }: { buildSdk(): Promise<void> }) => buildSdk())
    // Where Vite is not installed, what was built before is as good.
    .catch((error: { code?: string }) => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    })
    .finally(() => {
      building = undefined
    })
  return building
}

function sendFile(request: FastifyRequest, reply: FastifyReply, { etag, plain, zipped }: SdkFile): FastifyReply {
  reply.headers({
    etag,
    vary: 'origin, accept-encoding',
    'content-type': javascript,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
  })
  if (request.headers['if-none-match']?.includes(etag)) return reply.status(304).send()
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  if (takesGzip) reply.header('content-encoding', 'gzip')
  return reply.send(takesGzip ? zipped : plain)
}

function unknownVersion(asked: string, version: string): RequestError {
  return new RequestError(
    'not-found',
    `There is no version ${asked.slice(0, 40)} of the client library here; this is ${version}.`,
  )
}
