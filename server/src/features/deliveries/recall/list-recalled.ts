import { announceWork } from '#base/bus/wake.ts'
import type { Context } from '#base/context.ts'
import { defaultDurations } from '#base/durations.ts'
import type { Store } from '#base/store/store.ts'
import { notifyInbox } from '../inbox/inbox-notifier.ts'
import { clearableStates } from './clearable.ts'
import { listDevices, listUnlisted, type RecalledDevice, storePart, type UnlistedRecall } from './list-store.ts'

type Job = Pick<Context, 'store'> & { signal?: AbortSignal }

const devicesPerPart = 5_000

/**
 * Finds the devices that a recalled message was handed over to, once nobody sends it any more, a part at a time: each part
 * is one commit that also says how far it came. All get the mark of the inbox, so that they are told over their connection,
 * now or when they come back; those with a provider get a push, too, unless they have been told by then.
 */
export async function listRecalled({ store, signal }: Job): Promise<void> {
  for (const recall of await listUnlisted(store)) {
    for (let listed = devicesPerPart; listed === devicesPerPart; ) {
      if (signal?.aborted) return
      const devices = await listPart(store, recall)
      listed = devices.length
      recall.listed_up_to = devices.at(-1)?.installation_no ?? recall.listed_up_to
      const connected = devices.filter((device) => device.is_connected)
      notifyInbox(
        store,
        connected.map(({ installation_no: installationNo }) => ({ appId: recall.app_id, installationNo })),
      )
    }
    announceWork(store)
  }
}

function listPart(store: Store, recall: UnlistedRecall): Promise<RecalledDevice[]> {
  return store.transaction(async (tx) => {
    const devices = await listDevices(tx, recall, { states: clearableStates(recall), limit: devicesPerPart })
    const isLast = devices.length < devicesPerPart
    await storePart(tx, recall, devices, { isLast, connectedWaitMs: defaultDurations.acknowledgementMs })
    return devices
  })
}
