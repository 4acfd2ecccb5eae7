export const hourUnits = ['hours', 'days', 'weeks'] as const
export type HourUnit = (typeof hourUnits)[number]

const hoursIn: Record<HourUnit, number> = { hours: 1, days: 24, weeks: 168 }

/** "336h" as 2 weeks: the largest unit of which it is a whole number, and more than one. */
export function readHours(value: unknown): { amount: number; unit: HourUnit } | undefined {
  if (typeof value !== 'string') return undefined
  const hours = Number(/^(\d+(?:\.\d+)?)h$/i.exec(value.trim())?.[1] ?? Number.NaN)
  if (Number.isNaN(hours)) return undefined
  const unit = (['weeks', 'days'] as const).find((unit) => hours > hoursIn[unit] && hours % hoursIn[unit] === 0)
  return { amount: hours / hoursIn[unit ?? 'hours'], unit: unit ?? 'hours' }
}

export function writeHours(amount: number, unit: HourUnit): string {
  return `${Number((amount * hoursIn[unit]).toFixed(6))}h`
}
