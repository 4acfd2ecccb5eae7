import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Machine } from './machine.ts'
import type { BenchOptions } from './options.ts'
import { printTable } from './table.ts'

/** A goal of the project: the value must be at least, or at most, so much. */
export interface Goal {
  what: string
  value: number
  atLeast?: number
  atMost?: number
}

/** Of figures in bench/results, what a later run and docs/internals/benchmarks.md need. */
export interface KeptResult {
  bench: string
  at: string
  /** The version that was measured. */
  commit?: string
  machine: Machine
  goals: Goal[]
}

export const resultsFolder = join(import.meta.dirname, '..', 'results')

/** Figures are compared among machines with the same processors only. */
export function kindOf({ cpu, cores }: Machine): string {
  return `${cpu} ${cores} cores`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

/** Less than this part of what it was is pointed out. */
const worseThan = 0.8

/**
 * Shows the goals beside what was kept of the same kind of machine, measured with the same effort, and keeps all figures
 * in bench/results.
 */
export async function keepResult(
  name: string,
  { machine, effort }: Pick<BenchOptions, 'machine' | 'effort'>,
  goals: Goal[],
  figures: Record<string, unknown>,
): Promise<void> {
  const folder = join(resultsFolder, kindOf(machine), effort)
  const file = join(folder, `${name}.json`)
  const kept = await readResult(file)
  const rows = goals.map((goal) => {
    const before = kept?.goals.find(({ what }) => what === goal.what)
    const gain = before && gainOver(before, goal)
    return [goal.what, goal.value, showGoal(goal), verdictOn(goal), before?.value, gain, showWorse(gain)]
  })
  const when = kept ? `kept ${kept.at.slice(0, 10)}` : 'kept'
  printTable('Goals', ['what', 'value', 'goal', '', when, 'now ÷ then', ''], rows)
  const result = {
    bench: name,
    at: new Date().toISOString(),
    commit: readCommit(),
    machine,
    goals: goals.map((goal) => ({ ...goal, isMet: isMet(goal) })),
    ...figures,
  }
  await mkdir(folder, { recursive: true })
  await writeFile(file, `${JSON.stringify(result, shorten, 2)}\n`)
}

export async function readResult(file: string): Promise<KeptResult | undefined> {
  return JSON.parse(await readFile(file, 'utf8').catch(() => 'null')) ?? undefined
}

export function showGoal(goal: Goal): string {
  return goal.atLeast === undefined ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`
}

export function verdictOn(goal: Goal): string {
  return isMet(goal) ? 'met' : 'missed'
}

/** Above 1 it is better than it was, whichever way the goal goes. */
function gainOver(before: Goal, now: Goal): number {
  return now.atLeast === undefined ? before.value / now.value : now.value / before.value
}

function showWorse(gain: number | undefined): string {
  return gain !== undefined && gain < worseThan ? '← WORSE' : ''
}

function isMet(goal: Goal): boolean {
  const { value, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = goal
  return value >= atLeast && value <= atMost
}

function readCommit(): string {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: resultsFolder, encoding: 'utf8' }).trim()
  try {
    return (
      git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '../../server') === '' ? '' : ' and changes')
    )
  } catch {
    return 'unknown'
  }
}

function shorten(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
}
