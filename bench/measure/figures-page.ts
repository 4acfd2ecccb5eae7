import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Goal, type KeptResult, readResult, resultsFolder, showGoal, verdictOn } from './result.ts'

const page = join(import.meta.dirname, '../../docs/internals/benchmarks.md')
const [begin, end] = ['<!-- Figures, written by `npm run bench` -->', '<!-- End of the figures -->']

/** Writes what is kept in bench/results into docs/internals/benchmarks.md: one table for each kind of machine. */
export async function writeFiguresPage(): Promise<void> {
  const text = await readFile(page, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/internals/benchmarks.md has no place for figures: ${begin} … ${end}`)
  const tables = await Promise.all(globSync('*/', { cwd: resultsFolder }).sort().map(writeKind))
  await writeFile(page, `${text.slice(0, from)}${begin}\n\n${tables.filter(Boolean).join('\n\n')}\n\n${text.slice(to)}`)
}

async function writeKind(kind: string): Promise<string> {
  const [whole, quick] = await Promise.all([readAll(kind, 'whole'), readAll(kind, 'quick')])
  const names = [...new Set([...whole.keys(), ...quick.keys()])].sort()
  const [first] = [...whole.values(), ...quick.values()]
  if (!first) return ''
  const { cpu, cores, memoryGb, node } = first.machine
  const rows = names.flatMap((name) => writeBench(name, whole.get(name), quick.get(name)))
  return [
    `### ${cpu}, ${cores} cores, ${memoryGb} GB, Node ${node.replace('v', '')}`,
    '',
    '| bench | what | whole run | quick run | goal | |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function writeBench(name: string, whole: KeptResult | undefined, quick: KeptResult | undefined): string[] {
  const goals = new Map<string, Goal>()
  for (const goal of [...(quick?.goals ?? []), ...(whole?.goals ?? [])]) goals.set(goal.what, goal)
  return [...goals].map(([what, goal]) => {
    const cells = [name, what, showValue(whole, what), showValue(quick, what), showGoal(goal), verdictOn(goal)]
    return `| ${cells.join(' | ')} |`
  })
}

function showValue(result: KeptResult | undefined, what: string): string {
  const goal = result?.goals.find((each) => each.what === what)
  if (!result || !goal) return '–'
  const commit = result.commit ? `, ${result.commit}` : ''
  return `${goal.value} (${result.at.slice(0, 10)}${commit})`
}

async function readAll(kind: string, effort: string): Promise<Map<string, KeptResult>> {
  const files = globSync(join(resultsFolder, kind, effort, '*.json'))
  const results = await Promise.all(files.map((file) => readResult(file)))
  return new Map(
    results.flatMap((result, index) => (result ? [[basename(files[index] as string, '.json'), result]] : [])),
  )
}
