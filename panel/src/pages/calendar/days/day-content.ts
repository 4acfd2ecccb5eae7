import type { Calendar, PlannedEntry, SentEntry } from '@peyk/contract'
import { type Day, dayOf } from './days.ts'

export type Item =
  | ({ kind: 'planned' } & PlannedEntry & { id: string })
  /** A moment of a series for which there is no message yet. */
  | ({ kind: 'further'; id?: undefined } & PlannedEntry)
  | ({ kind: 'sent' } & SentEntry)

export type PlannedItem = Extract<Item, { kind: 'planned' }>

export interface DayContent {
  /** By time. */
  items: Item[]
  /** Messages of the day that are not among these. */
  moreSent: number
  crowded: Calendar['crowded']
}

export const emptyDay: DayContent = { items: [], moreSent: 0, crowded: [] }

/** What each day has, on the clock of the member. Days that have nothing are left out. */
export function readDays({ planned, sent, crowded }: Calendar): Map<Day, DayContent> {
  const days = new Map<Day, DayContent>()
  const of = (moment: number) => {
    const day = dayOf(moment)
    const known = days.get(day) ?? { items: [], moreSent: 0, crowded: [] }
    days.set(day, known)
    return known
  }
  for (const { day, count, first } of sent) {
    const content = of(day)
    content.moreSent = count - first.length
    for (const entry of first) content.items.push({ kind: 'sent', ...entry })
  }
  for (const entry of planned) of(entry.at).items.push(itemOf(entry))
  for (const crowd of crowded) of(crowd.day).crowded.push(crowd)
  for (const { items } of days.values()) items.sort((a, b) => a.at - b.at)
  return days
}

function itemOf({ id, ...entry }: PlannedEntry): Item {
  return id === undefined ? { kind: 'further', ...entry } : { kind: 'planned', id, ...entry }
}

export function keyOf(item: Item): string {
  return item.id ?? `${item.seriesId} ${item.at}`
}
