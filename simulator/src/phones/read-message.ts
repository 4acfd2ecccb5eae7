import type { ReceivedMessage } from './phone-state.ts'

/** A message as the own connection brings it; undefined when there is none in it, which is nothing to come again for. */
export function readMessage(
  payload: Buffer,
  receivedAt: number,
): { message: ReceivedMessage; sent: object } | undefined {
  const sent = parse(payload)
  if (typeof sent?.id !== 'string') return undefined
  const { id: messageId, content, data, silent, inApp } = sent
  return {
    sent,
    message: {
      messageId,
      content: typeof content === 'string' ? content : '',
      data: isObject(data) ? data : {},
      silent: silent === true,
      inApp: inApp === true,
      receivedAt,
    },
  }
}

export function parse(payload: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(payload.toString())
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
