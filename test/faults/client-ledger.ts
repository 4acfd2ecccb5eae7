import { setTimeout as delay } from 'node:timers/promises'
import type { TestClient } from '../helpers/connection.ts'
import type { Device } from '../helpers/devices.ts'

/** A client that tracks one event after the other, and notes which ones were acknowledged. */
export function trackAlong(client: TestClient, device: Device, { appId, pauseMs }: { appId: string; pauseMs: number }) {
  const acknowledged: string[] = []
  let isStopped = false
  let count = 0
  const running = (async () => {
    while (!isStopped) {
      const id = `${device.userId}-${count++}`
      await client.publishAsync(`app/${appId}/track/step/${device.id}`, JSON.stringify({ id }), { qos: 1 })
      acknowledged.push(id)
      await delay(pauseMs)
    }
  })()
  return {
    acknowledged,
    stop: async () => {
      isStopped = true
      await running
    },
  }
}

/** Which of these messages the client has not received. */
export function findMissing(ids: readonly string[], { received }: TestClient): string[] {
  const known = new Set(received.map(({ body }) => body.id))
  return ids.filter((id) => !known.has(id))
}
