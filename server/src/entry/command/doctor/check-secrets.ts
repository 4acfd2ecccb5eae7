import { stat } from 'node:fs/promises'
import { type Config, ConfigError } from '#base/config.ts'
import { findSecretKeys, secretKeyFile, UnreadableKeyError } from '#base/secrets/secret-key.ts'
import type { Store } from '#base/store/store.ts'
import { findMissingKeys } from '#features/backups/find-missing-keys.ts'
import { readSealed } from '#features/backups/read-sealed.ts'
import { type Finding, fault, ok, unseen, warning } from './finding.ts'

export interface SecretsReport {
  findings: Finding[]
  keys: Buffer[]
}

/** Whether the key is there, is kept well, and opens what is stored. */
export async function checkSecrets(store: Store | undefined, config: Config): Promise<SecretsReport> {
  try {
    const keys = (await findSecretKeys(config)) ?? []
    const findings = [...judgePlace(config, keys), ...(await checkFile(config, keys))]
    findings.push(
      store
        ? judgeKeys(findMissingKeys(await readSealed(store), keys), keys.length)
        : unseen('sealed', 'Whether the key opens the stored secrets was not looked at.'),
    )
    return { findings, keys }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    if (error instanceof UnreadableKeyError) {
      const advice = 'Run this as the user that the service runs as, or give that user the file.'
      return { findings: [fault('key-unreadable', error.message, advice)], keys: [] }
    }
    const advice = 'Set 32 bytes as hex or base64, such as those of: openssl rand -hex 32'
    return { findings: [fault('wrong-key', error.message, advice)], keys: [] }
  }
}

function judgePlace({ mode, databaseUrl, secretKeys }: Config, keys: readonly Buffer[]): Finding[] {
  if (mode !== 'production' || databaseUrl === undefined || secretKeys.length > 0) return []
  const what =
    keys.length === 0
      ? 'There is no secret key: the first start makes one in the data folder, which only this machine has.'
      : 'The secret key is in the data folder of this machine only, and the database elsewhere.'
  return [
    warning(
      'key-of-this-machine',
      what,
      'Give every process the same key by PEYK_SECRET_KEY, and keep a copy apart from the backups.',
    ),
  ]
}

async function checkFile(config: Config, keys: readonly Buffer[]): Promise<Finding[]> {
  if (keys.length === 0 || config.secretKeys.length > 0) return []
  const file = secretKeyFile(config)
  const { mode } = await stat(file)
  if ((mode & 0o077) === 0) return []
  return [warning('key-readable', `Others may read ${file}.`, `chmod 600 ${file}`)]
}

export function judgeKeys(missing: readonly string[], keys: number): Finding {
  if (missing.length > 0)
    return fault(
      'key-missing',
      `The key ${missing.join(', ')} is not here, and stored secrets were encrypted with it: their providers and webhooks stand still.`,
      'Bring back secret.key, or set PEYK_SECRET_KEY="new,old" and run peyk secrets reseal; else set the credentials again.',
    )
  if (keys === 0) return ok('no-key', 'no key yet, and nothing that needs one')
  return ok('key', 'the key opens all stored secrets')
}
