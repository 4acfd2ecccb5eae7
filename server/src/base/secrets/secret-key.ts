import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'
import { writeDurably } from '../store/embedded/durable-file.ts'

const keyBytes = 32
const fileName = 'secret.key'

export class UnreadableKeyError extends ConfigError {}

interface KeyPlace {
  secretKeys: string[]
  dataFolder: string
}

/** The keys that seal credentials: those of PEYK_SECRET_KEY, else the one in the data folder, made when there is none. */
export async function loadSecretKeys(config: KeyPlace): Promise<Buffer[]> {
  const found = await findSecretKeys(config)
  if (found) return found
  const key = randomBytes(keyBytes)
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
  await writeDurably(secretKeyFile(config), `${key.toString('base64')}\n`, 0o600)
  return [key]
}

/** The same, but nothing is made. */
export async function findSecretKeys(config: KeyPlace): Promise<Buffer[] | undefined> {
  if (config.secretKeys.length > 0) return config.secretKeys.map((text) => readKey(text, 'PEYK_SECRET_KEY'))
  const path = secretKeyFile(config)
  const stored = await readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw new UnreadableKeyError(`The key in ${path} cannot be read: ${error.code}.`)
  })
  return stored === undefined ? undefined : [readKey(stored.trim(), path)]
}

export function secretKeyFile({ dataFolder }: Pick<KeyPlace, 'dataFolder'>): string {
  return join(dataFolder, fileName)
}

function readKey(text: string, where: string): Buffer {
  const key = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64')
  if (key.length !== keyBytes) throw new ConfigError(`${where} must hold ${keyBytes} bytes as hex or base64.`)
  return key
}
