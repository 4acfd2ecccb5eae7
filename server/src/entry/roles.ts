import type { Role } from '#base/config.ts'

/**
 * Everything that a process serves or does by itself, and the role that brings it. What is not here every process does: it
 * answers /health, /ready and /metrics, follows the clock, and says that it lives.
 */
export const roleOf = {
  /** The API, what client libraries ask over HTTP, the panel, the pages. */
  'http-routes': 'api',
  /** MQTT over TCP and WebSocket, what waits in the inboxes of those who are connected, and the watch over them. */
  'live-connections': 'connection',
  'delivery-loop': 'worker',
  'schedule-loop': 'worker',
  'fallback-loop': 'worker',
  'webhook-loop': 'worker',
  'backup-loop': 'worker',
  /** Segments of large apps, counted from memory, for all processes. */
  'segment-indexes': 'index',
  /** The jobs of entry/worker/schedule.ts. */
  'scheduled-jobs': 'worker',
} as const satisfies Record<string, Role>

export type Part = keyof typeof roleOf

/** Whether a process with these roles has this part. */
export function hasPart(given: readonly Role[], part: Part): boolean {
  return given.includes(roleOf[part])
}
