import { type CrowdState, newCrowdState } from './crowd/crowd-state.ts'
import type { Service } from './phones/call-service.ts'
import type { PhoneState } from './phones/phone-state.ts'
import { pushProviderOf } from './phones/platform.ts'
import { createProviderKeys, type ProviderKeys } from './providers/keys.ts'
import type { DoorName } from './providers/start-providers.ts'
import type { DeadToken } from './providers/tokens.ts'
import { readState } from './state-file.ts'

/** What a simulator remembers from one run to the next, so that every token it ever gave out lives on. */
export interface KeptState {
  version: 1
  keys: ProviderKeys
  ports: Partial<Record<DoorName | 'control', number>>
  dead: DeadToken[]
  service: Service | undefined
  phones: PhoneState[]
  crowd: CrowdState
  /** Of the process that has it open. */
  pid?: number
}

/** What the file holds, or a new one when there is none that could be used. */
export async function loadState(path: string | undefined): Promise<KeptState> {
  const stored = path === undefined ? undefined : ((await readState(path)) as KeptState | undefined)
  if (stored?.version === 1 && stored.keys && Array.isArray(stored.phones)) {
    return { ...stored, phones: stored.phones.map(complete), crowd: stored.crowd ?? newCrowdState() }
  }
  const keys = await createProviderKeys()
  return { version: 1, keys, ports: {}, dead: [], service: undefined, phones: [], crowd: newCrowdState() }
}

/** Of a run before there were connections and phones without a provider. */
function complete(phone: PhoneState): PhoneState {
  const provider = pushProviderOf[phone.platform]
  const missing: Partial<PhoneState> = { provider, app: 'closed', appId: null, messages: [] }
  const notifications = phone.notifications.map((shown) => Object.assign({ via: provider }, shown))
  return { ...missing, ...phone, notifications }
}
