import type { caller } from './service/test-server.ts'

export interface Device {
  id: string
  userId: string
}

/** Registers a device as a client library does, logged in as the user when one is given. */
export async function registerDevice(
  callAsClient: ReturnType<typeof caller>,
  body: { userId?: string; deviceType?: string; [field: string]: unknown } = {},
): Promise<Device> {
  const login = body.userId === undefined ? {} : { isGuest: false }
  const answer = await callAsClient('POST', '/api/installations', { deviceType: 'android', ...login, ...body })
  if (answer.status !== 200) throw new Error(`registering failed: ${JSON.stringify(answer.body)}`)
  return answer.body
}
