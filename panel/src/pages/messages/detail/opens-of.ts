import type { MessageOpens } from '@peyk/contract'

export interface Opens {
  total: number
  /** Within so many hours half of them had come. Undefined: it took longer than is shown by hour, or there are too few. */
  halfHours: number | undefined
}

const fewest = 10

/** How soon a message was opened. */
export function opensOf({ hours, days }: MessageOpens): Opens {
  const sum = (bars: MessageOpens['hours']) => bars.reduce((total, { opened, acted }) => total + opened + acted, 0)
  const total = sum(days)
  const place = hours.findIndex((_, index) => sum(hours.slice(0, index + 1)) * 2 >= total)
  return { total, halfHours: total < fewest || place < 0 ? undefined : place + 1 }
}
