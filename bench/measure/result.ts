import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Machine } from './machine.ts'
import { printTable } from './table.ts'

/** A goal of the project: the value must be at least, or at most, so much. */
export interface Goal {
  what: string
  value: number
  atLeast?: number
  atMost?: number
}

const folder = join(import.meta.dirname, '..', 'results')

/** Shows the goals, and keeps all figures in bench/results. */
export async function keepResult(
  name: string,
  machine: Machine,
  goals: Goal[],
  figures: Record<string, unknown>,
): Promise<void> {
  const rows = goals.map((goal) => [goal.what, goal.value, showGoal(goal), isMet(goal) ? 'met' : 'MISSED'])
  printTable('Goals', ['what', 'value', 'goal', ''], rows)
  const result = {
    bench: name,
    at: new Date().toISOString(),
    machine,
    goals: goals.map((goal) => ({ ...goal, isMet: isMet(goal) })),
    ...figures,
  }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify(result, shorten, 2)}\n`)
  console.log(`\nKept in bench/results/${name}.json`)
}

function isMet(goal: Goal): boolean {
  const { value, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = goal
  return value >= atLeast && value <= atMost
}

function showGoal(goal: Goal): string {
  return goal.atLeast === undefined ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`
}

function shorten(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
}
