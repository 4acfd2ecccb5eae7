import { UsageError } from '../command.ts'

const factors: Record<string, number> = { '': 1, k: 1e3, m: 1e6, b: 1e9 }

/** A whole number, which may be written with K, M or B for thousands, millions and billions; null for "none". */
export function readAmount(option: string, text: string): number | null {
  if (text === 'none') return null
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)([kmb]?)$/i.exec(text.replaceAll(/[_,]/g, '')) ?? []
  const amount = Math.round(Number(digits) * (factors[unit.toLowerCase()] as number) * 1e6) / 1e6
  if (Number.isInteger(amount)) return amount
  throw new UsageError(`Expected --${option} and a whole number such as 50000, 50K or 1M, or none, got "${text}".`)
}
