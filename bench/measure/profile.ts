import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printTable } from './table.ts'

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

const root = join(import.meta.dirname, '..', '..')
const shownEntries = 40

export interface Profiler {
  env: Record<string, string>
  /** To be called when the process has ended: it writes its profile then. */
  print(): Promise<void>
}

/** Makes a Node process note where its time goes, and shows the functions that took most of it themselves. */
export async function createProfiler(): Promise<Profiler> {
  const folder = await mkdtemp(join(tmpdir(), 'peyk-bench-profile-'))
  return {
    env: { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --cpu-prof --cpu-prof-dir=${folder}` },
    print: async () => {
      for (const file of await readdir(folder)) {
        printProfile(file, JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile)
      }
    },
  }
}

function printProfile(name: string, profile: CpuProfile): void {
  const frames = new Map(profile.nodes.map((node) => [node.id, showFrame(node.callFrame)]))
  const selfMs = new Map<string, number>()
  for (const [index, sample] of profile.samples.entries()) {
    const frame = frames.get(sample) ?? ''
    selfMs.set(frame, (selfMs.get(frame) ?? 0) + (profile.timeDeltas[index] ?? 0) / 1000)
  }
  const idleMs = selfMs.get('(idle)') ?? 0
  const busyMs = [...selfMs.values()].reduce((sum, ms) => sum + ms, 0) - idleMs
  selfMs.delete('(idle)')
  const top = [...selfMs].sort((left, right) => right[1] - left[1]).slice(0, shownEntries)
  const rows = top.map(([frame, ms]) => [(100 * ms) / busyMs, ms, frame])
  printTable(
    `${name}: busy ${Math.round(busyMs)} ms, idle ${Math.round(idleMs)} ms`,
    ['%', 'self ms', 'function'],
    rows,
  )
}

function showFrame({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const file = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : url
  return file ? `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}` : functionName
}
