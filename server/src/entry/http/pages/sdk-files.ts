import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '#base/errors.ts'
import type { HttpServices } from '../http-services.ts'

const ownFolder = new URL('../../../../../sdk/', import.meta.url)
const names = ['peyk.js', 'peyk.mjs', 'peyk-sw.js'] as const
const javascript = 'text/javascript; charset=utf-8'
const hidden = { schema: { hide: true } as object }
const anyVersion = /^\d[\w.+-]{0,99}$/
const cacheControl = {
  fixed: 'public, max-age=31536000, immutable',
  redirect: 'public, max-age=60',
  current: 'public, no-cache',
}

/**
 * The client library: /sdk/peyk.js for a script element, /sdk/peyk.mjs for import, /sdk/peyk-sw.js for the service
 * worker. These are asked for again. Under /sdk/<version>-<hash of the file>/ they never change, so browsers keep them.
 * /sdk/<version>/ leads there, and every version that is not here to the first three: a page which names an earlier one
 * goes on working, also while processes of two versions run.
 */
export function addSdkFiles(
  app: FastifyInstance,
  { config }: { config: Pick<HttpServices['config'], 'mode'> },
  folder: URL = ownFolder,
): void {
  const isDevelopment = config.mode === 'development'
  const kept = new Map<string, Promise<SdkFile>>()
  const read = (name: string): Promise<SdkFile> => {
    if (isDevelopment) return build(folder).then(() => readSdkFile(folder, name))
    const file = kept.get(name) ?? readSdkFile(folder, name)
    kept.set(name, file)
    file.catch(() => kept.delete(name))
    return file
  }
  for (const name of names) {
    const send = async (request: FastifyRequest, reply: FastifyReply) => {
      const file = await read(name)
      const { version } = request.params as { version?: string }
      if (version !== undefined && !anyVersion.test(version)) throw noVersion(version)
      reply.headers(forEverybody)
      if (version !== undefined && version !== file.fixedVersion) {
        const path = version === file.version ? `../${file.fixedVersion}/${name}` : `../${name}`
        return reply.header('cache-control', cacheControl.redirect).redirect(path)
      }
      reply.header('cache-control', version === undefined ? cacheControl.current : cacheControl.fixed)
      if (name === 'peyk-sw.js') reply.header('service-worker-allowed', '/')
      return sendFile(request, reply, file)
    }
    app.route({ method: ['GET', 'HEAD'], url: `/sdk/${name}`, ...hidden, handler: send })
    app.route({ method: ['GET', 'HEAD'], url: `/sdk/:version/${name}`, ...hidden, handler: send })
  }
}

/** Pages of any origin load it, and follow where it leads. */
const forEverybody = { 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' }

interface SdkFile {
  version: string
  /** With the hash of the file: another content is another one. */
  fixedVersion: string
  etag: string
  plain: Buffer
  zipped: Buffer
}

async function readSdkFile(folder: URL, name: string): Promise<SdkFile> {
  const { version } = JSON.parse(await readFile(new URL('package.json', folder), 'utf8')) as { version: string }
  const plain = await readFile(new URL(`dist/${name}`, folder)).catch(() => {
    throw new RequestError('not-found', 'The client library is not built: run "npm install".')
  })
  const hash = createHash('sha256').update(plain).digest()
  return {
    version,
    fixedVersion: `${version}-${hash.toString('hex').slice(0, 8)}`,
    etag: `"${hash.toString('base64url').slice(0, 22)}"`,
    plain,
    zipped: gzipSync(plain, { level: 9 }),
  }
}

let building: Promise<void> | undefined

/** In development a changed source is built first, so there is nothing to run by hand. */
function build(folder: URL): Promise<void> {
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
  })
  if (request.headers['if-none-match']?.includes(etag)) return reply.status(304).send()
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  if (takesGzip) reply.header('content-encoding', 'gzip')
  return reply.send(takesGzip ? zipped : plain)
}

function noVersion(asked: string): RequestError {
  return new RequestError('not-found', `"${asked.slice(0, 40)}" is no version of the client library.`)
}
