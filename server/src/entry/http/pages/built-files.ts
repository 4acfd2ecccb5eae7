import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../../../base/errors.ts'
import type { HttpServices } from '../http-services.ts'

const run = promisify(execFile)
/** As what a file is built beside itself, the smallest first. */
const packings = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
]
const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Pages and what they load, built into `dist` of a workspace. In development a changed source is built first, so there is nothing to run by hand. */
export class BuiltFiles {
  private readonly name: string
  private readonly folder: URL
  private readonly services: Pick<HttpServices, 'config' | 'log'>
  private readonly assets = new Map<string, Promise<Buffer>>()
  private building: Promise<void> | undefined

  /** `name` is what people call it: "the panel". */
  constructor(name: string, folder: URL, services: Pick<HttpServices, 'config' | 'log'>) {
    this.name = name
    this.folder = folder
    this.services = services
  }

  /** A page whose path is not taken from a request. */
  async page(path: string): Promise<string> {
    await this.freshen()
    return readFile(this.at(path), 'utf8').catch(() => {
      throw new RequestError('not-found', `${this.name} is not built: run "npm install".`)
    })
  }

  /** The folders in a folder; none where nothing is built. */
  async foldersIn(path: string): Promise<string[]> {
    await this.freshen()
    const entries = await readdir(this.at(path), { withFileTypes: true }).catch(() => [])
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  }

  /** What pages load; its names change with its content. By a name that stands in the folder: nothing that is asked for becomes a path. */
  async sendAsset(request: FastifyRequest, reply: FastifyReply, path: string, name: string): Promise<FastifyReply> {
    const packing = packingFor(request)
    const content = await this.asset(path, `${name}${packing?.ending ?? ''}`)
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    return reply.headers(contentHeaders(name, packing)).send(content)
  }

  /** A page as it was built and packed, by a path that is not taken from a request. */
  async sendPage(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
    const packing = packingFor(request)
    const content = await readFile(this.at(`${path}${packing?.ending ?? ''}`))
    return reply.headers(contentHeaders(path, packing)).send(content)
  }

  private async asset(path: string, name: string): Promise<Buffer> {
    const key = `${path}${name}`
    const known = this.assets.get(key)
    if (known) return known
    const names = await readdir(this.at(path)).catch((): string[] => [])
    if (!names.includes(name)) throw new RequestError('not-found', `${this.name} has no such file. Load the page again.`)
    const reading = readFile(this.at(`${path}${encodeURIComponent(name)}`))
    this.assets.set(key, reading)
    reading.catch(() => this.assets.delete(key))
    return reading
  }

  private at(path: string): URL {
    return new URL(`dist/${path}`, this.folder)
  }

  private async freshen(): Promise<void> {
    if (this.services.config.mode !== 'development') return
    this.building ??= buildWhenOld(new URL('build.js', this.folder))
      .then((warning) => {
        if (warning !== '') this.services.log.warn(warning)
      })
      // What was built before is better than nothing.
      .catch((error) => this.services.log.error({ err: error }, `${this.name} was not built`))
      .finally(() => {
        this.building = undefined
      })
    await this.building
  }
}

/** In a process of its own: what builds takes several times the memory of the service, and keeps it. Answers its warnings. */
async function buildWhenOld(script: URL): Promise<string> {
  const { isFresh } = (await import(script.href)) as { isFresh(): boolean }
  if (isFresh()) return ''
  const { stderr } = await run(process.execPath, [fileURLToPath(script)])
  return stderr.trim()
}

type Packing = (typeof packings)[number]

function contentHeaders(name: string, packing: Packing | undefined): Record<string, string> {
  return {
    'content-type': types[extname(name)] ?? 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    ...(packing && { 'content-encoding': packing.encoding }),
  }
}

function packingFor(request: FastifyRequest): Packing | undefined {
  const taken = takenEncodings(request.headers['accept-encoding'])
  return packings.find(({ encoding }) => taken.has(encoding))
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
