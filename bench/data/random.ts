/** Numbers in SQL that are the same in every run: `chance('n', 3)` is 0 ≤ x < 1, another one for each row and salt. */
export function chance(column: string, salt: number): string {
  return `((hashint8extended(${column}, ${salt}) & 1048575) / 1048576.0)`
}

/** A whole number 0 ≤ x < count, likewise. */
export function pick(column: string, salt: number, count: number): string {
  return `((hashint8extended(${column}, ${salt}) & 2147483647) % ${count})`
}

/** The same for bodies that are made here. */
export class Dice {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  below(count: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.state / 2 ** 32) * count)
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }
}
