import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { RequestError } from '#base/errors.ts'
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

interface BuiltFile {
  headers: Record<string, string>
  content: Buffer
}

/** Pages and what they load, built into `dist` of a workspace. In development a changed source is built first, so there is nothing to run by hand. */
export class BuiltFiles {
  private readonly name: string
  private readonly folder: URL
  private readonly services: Pick<HttpServices, 'config' | 'log'>
  private readonly kept = new LRUCache<string, BuiltFile>({ max: 500 })
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

  async hasFolder(path: string, name: string): Promise<boolean> {
    const entries = await readdir(this.at(path), { withFileTypes: true }).catch(() => [])
    return entries.some((entry) => entry.isDirectory() && entry.name === name)
  }

  /** What pages load: its names change with its content, so that it can be kept for ever, here and by browsers. */
  async sendAsset(request: FastifyRequest, reply: FastifyReply, path: string, name: string): Promise<FastifyReply> {
    const taken = takenPackings(request.headers['accept-encoding'])
    const key = [path, name, ...taken.map(({ ending }) => ending)].join(' ')
    const file = this.kept.get(key) ?? (await this.find(taken, path, name))
    this.kept.set(key, file)
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    return reply.headers(file.headers).send(file.content)
  }

  /** A page as it was built. */
  async sendPage(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
    await this.freshen()
    const file = await this.find(takenPackings(request.headers['accept-encoding']), path, 'index.html')
    return reply.headers(file.headers).send(file.content)
  }

  /** Packed, if it is there so. By a name that stands in the folder: nothing that is asked for becomes a path. */
  private async find(taken: Packing[], path: string, name: string): Promise<BuiltFile> {
    const names = await readdir(this.at(path)).catch((): string[] => [])
    if (!names.includes(name))
      throw new RequestError('not-found', `${this.name} has no such file. Load the page again.`)
    const packing = taken.find(({ ending }) => names.includes(`${name}${ending}`))
    return {
      headers: {
        'content-type': types[extname(name)] ?? 'application/octet-stream',
        'x-content-type-options': 'nosniff',
        vary: 'accept-encoding',
        ...(packing && { 'content-encoding': packing.encoding }),
      },
      content: await readFile(this.at(`${path}${encodeURIComponent(name)}${packing?.ending ?? ''}`)),
    }
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

/** Of "br;q=0, gzip;q=0.5" only gzip is taken. */
function takenPackings(header: string | string[] | undefined): Packing[] {
  const offered = String(header ?? '').split(',')
  const taken = new Set(
    offered.flatMap((offer) => {
      const [name, ...parameters] = offer.split(';').map((part) => part.trim().toLowerCase())
      return name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [name] : []
    }),
  )
  return packings.filter(({ encoding }) => taken.has(encoding))
}
