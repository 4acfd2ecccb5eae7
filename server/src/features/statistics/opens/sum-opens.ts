import type { MessageOpens } from '@peyk/contract'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const firstHours = 48
const mostDays = 100

/** How many opened it, or took an action, in one hour (UTC). */
export interface OpensOfHour {
  at: number
  opened: number
  acted: number
}

type Bar = MessageOpens['hours'][number]

/** Hours without any are there too. What devices say to have been before the message was, is in its first hour. */
export function sumOpens(rows: readonly OpensOfHour[], acceptedAt: Date, now: Date): MessageOpens {
  const firstHour = startOf(acceptedAt.getTime(), HOUR)
  const firstDay = startOf(acceptedAt.getTime(), DAY)
  const latest = Math.max(now.getTime(), firstHour)
  const hours = bars(firstHour, Math.min(firstHour + (firstHours - 1) * HOUR, latest), HOUR)
  const lastOpen = rows.reduce((last, { at }) => Math.max(last, at), firstHour)
  const lastDay = Math.min(lastOpen, firstDay + (mostDays - 1) * DAY)
  const days = bars(firstDay, lastDay, DAY)
  for (const row of rows) {
    const at = Math.max(row.at, firstHour)
    add(hours, row, (startOf(at, HOUR) - firstHour) / HOUR)
    add(days, row, (startOf(at, DAY) - firstDay) / DAY)
  }
  return { hours, days }
}

function bars(from: number, to: number, step: number): Bar[] {
  const count = Math.floor((to - from) / step) + 1
  return Array.from({ length: count }, (_, index) => ({ at: from + index * step, opened: 0, acted: 0 }))
}

function add(list: Bar[], { opened, acted }: OpensOfHour, index: number): void {
  const bar = list[index]
  if (!bar) return
  bar.opened += opened
  bar.acted += acted
}

function startOf(at: number, step: number): number {
  return at - (at % step)
}
