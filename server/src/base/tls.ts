import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { ConfigError, type TlsFiles } from './config.ts'
import type { Logger } from './log.ts'
import { createLoop, type Loop } from './loop.ts'

export interface TlsPair {
  cert: Buffer
  key: Buffer
}

const lookMs = 10_000

/** The certificate and its key, which fit together. */
export async function readTls(files: TlsFiles): Promise<TlsPair> {
  const [certVariable, keyVariable] = files.variables
  try {
    return await readPair(files)
  } catch (error) {
    throw new ConfigError(`${certVariable} and ${keyVariable} cannot be used: ${(error as Error).message}.`)
  }
}

/**
 * Looks at the files every few seconds: when they were renewed, who comes from then on is shown the new certificate. A
 * pair of which only one half has been replaced yet is left for the next look.
 */
export function followTls(
  files: TlsFiles,
  server: { setSecureContext(pair: TlsPair): void },
  options: { first: TlsPair; log: Logger; everyMs?: number },
): Loop {
  const { log, everyMs = lookMs } = options
  let current = options.first
  let complaint: string | undefined
  const look = async (): Promise<boolean> => {
    try {
      const pair = await readPair(files)
      complaint = undefined
      if (pair.cert.equals(current.cert) && pair.key.equals(current.key)) return false
      server.setSecureContext(pair)
      current = pair
      log.info(`the certificate of ${files.variables[0]} was renewed`)
    } catch (error) {
      const { message } = error as Error
      if (message !== complaint) log.warn(`the renewed ${files.variables.join(' and ')} cannot be used: ${message}`)
      complaint = message
    }
    return false
  }
  return createLoop({ name: 'the look at the certificate', log, everyMs, turn: look })
}

async function readPair({ certificate, key: keyFile }: TlsFiles): Promise<TlsPair> {
  const [cert, key] = await Promise.all([readFile(certificate), readFile(keyFile)])
  createSecureContext({ cert, key })
  return { cert, key }
}
