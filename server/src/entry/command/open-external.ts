import type { Config } from '#base/config.ts'
import { type Endpoints, type External, realEndpoints } from '#base/external.ts'
import { createSecretBox } from '#base/secrets/secret-box.ts'
import { loadSecretKeys } from '#base/secrets/secret-key.ts'

export async function openExternal(config: Config, simulated?: Endpoints): Promise<External> {
  return {
    secretBox: createSecretBox(await loadSecretKeys(config)),
    publicUrl: config.publicUrl ?? (config.mode === 'development' ? `http://localhost:${config.port}` : undefined),
    real: realEndpoints,
    ...(simulated && { simulated }),
    webPushHosts: config.webPushHosts,
    webhooksMayBeLocal: config.mode === 'development',
  }
}
