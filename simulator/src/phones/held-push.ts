import type { Platform } from './platform.ts'

/** A push that its provider accepted and holds for a device. */
export interface HeldPush {
  /** What the provider calls it. */
  pushId: string
  /** FCM's `message`, APNs' body, or what a browser decrypted. */
  content: unknown
  /** Epoch milliseconds; null: now or never. */
  expiresAt: number | null
  /** A later one with the same key takes its place. */
  collapseKey: string | undefined
}

/** FCM keeps that many for a device and throws all of them away when there is one more; the others are bounded likewise. */
const maxHeld = 100

/** What a provider holds for a device that is away, after one more came. */
export function holdPush(held: readonly HeldPush[], push: HeldPush, platform: Platform): HeldPush[] {
  if (push.expiresAt === null) return [...held]
  const others = held.filter(({ collapseKey }) => collapseKey === undefined || collapseKey !== push.collapseKey)
  if (others.length < maxHeld) return [...others, push]
  return platform === 'android' ? [push] : [...others.slice(1), push]
}

/** What is still handed over when the device is back. */
export function stillValid(held: readonly HeldPush[], now: number): HeldPush[] {
  return held.filter(({ expiresAt }) => expiresAt !== null && expiresAt > now)
}
