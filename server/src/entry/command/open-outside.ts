import type { Config } from '../../base/config.ts'
import { type Endpoints, type Outside, realEndpoints } from '../../base/outside.ts'
import { createSecretBox } from '../../base/secrets/secret-box.ts'
import { loadSecretKeys } from '../../base/secrets/secret-key.ts'

export async function openOutside(config: Config, simulated?: Endpoints): Promise<Outside> {
  return {
    secretBox: createSecretBox(await loadSecretKeys(config)),
    real: realEndpoints,
    ...(simulated && { simulated }),
    webPushHosts: config.webPushHosts,
    webhooksMayBeLocal: config.mode === 'development',
  }
}
