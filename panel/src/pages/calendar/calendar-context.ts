import { createContext } from 'react'
import type { PlannedItem } from './days/day-content.ts'
import type { ShownCategory } from './queries.ts'
import type { Drag } from './use-drag.ts'

interface CalendarShown {
  categories: ReadonlyMap<string, ShownCategory>
  mayMove: boolean
  drag: Drag
  /** Asks for another time. */
  onMove(item: PlannedItem): void
}

export const CalendarContext = createContext<CalendarShown>(undefined as never)
