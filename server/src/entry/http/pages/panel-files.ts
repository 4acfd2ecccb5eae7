import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../../../base/errors.ts'
import type { HttpServices } from '../http-services.ts'

const folder = new URL('../../../../../panel/', import.meta.url)
const dist = new URL('dist/', folder)
const hidden = { schema: { hide: true } as object }
const run = promisify(execFile)
/** As what an asset is built beside itself, the smallest first. */
const packings = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
]
const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/**
 * The panel: its page for every path under /panel, and what the page loads, whose names change with their content. A
 * nonce of each page's own lets its styles in, and no other.
 */
export function addPanelFiles(app: FastifyInstance, services: Pick<HttpServices, 'config' | 'log'>): void {
  const files = new PanelFiles(services)
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    // The paths of a page's own files are written from there.
    if (request.url.split('?', 1)[0] === '/panel') return reply.redirect('/panel/', 308)
    const nonce = randomBytes(16).toString('base64url')
    const page = withIconOf(services.config.mode, await files.page()).replaceAll('__NONCE__', nonce)
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(nonce),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    return reply.send(page)
  }
  const sendAsset = async (request: FastifyRequest, reply: FastifyReply) => {
    const { '*': name } = request.params as { '*': string }
    const taken = takenEncodings(request.headers['accept-encoding'])
    const packing = packings.find(({ encoding }) => taken.has(encoding))
    const content = await files.asset(`${name}${packing?.ending ?? ''}`)
    reply.headers({
      'content-type': types[extname(name)] ?? 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      ...(packing && { 'content-encoding': packing.encoding }),
    })
    return reply.send(content)
  }
  const method = ['GET', 'HEAD']
  app.route({ method, url: '/panel', ...hidden, handler: sendPage })
  app.route({ method, url: '/panel/*', ...hidden, handler: sendPage })
  app.route({ method, url: '/panel/assets/*', ...hidden, handler: sendAsset })
}

/** A tab tells by its icon whether it is of development or of production. */
function withIconOf(mode: string, page: string): string {
  return page.replaceAll(/\s*<link rel="icon" data-mode="(\w+)"[^>]*>/g, (link, of) => (of === mode ? link : ''))
}

/** Of "br;q=0, gzip;q=0.5" only gzip is taken. */
function takenEncodings(header: string | string[] | undefined): Set<string> {
  const offered = String(header ?? '').split(',')
  return new Set(
    offered.flatMap((offer) => {
      const [name, ...parameters] = offer.split(';').map((part) => part.trim().toLowerCase())
      return name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [name] : []
    }),
  )
}

function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' https: http: data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** What was built. In development a changed source is built first, so there is nothing to run by hand. */
class PanelFiles {
  private readonly services: Pick<HttpServices, 'config' | 'log'>
  private readonly assets = new Map<string, Promise<Buffer>>()
  private building: Promise<void> | undefined

  constructor(services: Pick<HttpServices, 'config' | 'log'>) {
    this.services = services
  }

  async page(): Promise<string> {
    if (this.services.config.mode === 'development') await this.build()
    return readFile(new URL('index.html', dist), 'utf8').catch(() => {
      throw new RequestError('not-found', 'The panel is not built: run "npm install".')
    })
  }

  /** By a name that stands in the folder: nothing that is asked for becomes a path. */
  async asset(name: string): Promise<Buffer> {
    const known = this.assets.get(name)
    if (known) return known
    const names = await readdir(fileURLToPath(new URL('assets/', dist))).catch((): string[] => [])
    if (!names.includes(name)) throw new RequestError('not-found', 'The panel has no such file. Load the page again.')
    const reading = readFile(new URL(`assets/${encodeURIComponent(name)}`, dist))
    this.assets.set(name, reading)
    reading.catch(() => this.assets.delete(name))
    return reading
  }

  private build(): Promise<void> {
    this.building ??= buildWhenOld()
      .then((warning) => {
        if (warning !== '') this.services.log.warn(warning)
      })
      // What was built before is better than nothing.
      .catch((error) => this.services.log.error({ err: error }, 'the panel was not built'))
      .finally(() => {
        this.building = undefined
      })
    return this.building
  }
}

/** In a process of its own: what builds takes several times the memory of the service, and keeps it. Answers its warnings. */
async function buildWhenOld(): Promise<string> {
  const script = new URL('build.js', folder)
  const { isFresh } = (await import(script.href)) as { isFresh(): boolean }
  if (isFresh()) return ''
  const { stderr } = await run(process.execPath, [fileURLToPath(script)])
  return stderr.trim()
}
