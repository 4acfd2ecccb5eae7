import { mkdtemp, open, rm } from 'node:fs/promises'
import { arch, availableParallelism, cpus, loadavg, platform, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { median } from './rounds.ts'

export interface Machine {
  cpu: string
  cores: number
  memoryGb: number
  system: string
  node: string
  /** How long the disk takes to make 8 KiB durable. */
  fsyncMs: number
  /** Work of others on the machine while it was measured. */
  loadBefore: number
}

export async function describeMachine(): Promise<Machine> {
  return {
    cpu: `${cpus()[0]?.model ?? 'unknown'} (${arch()})`,
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    system: `${platform()} ${release()}`,
    node: process.version,
    fsyncMs: await measureFsync(),
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(2)),
  }
}

async function measureFsync(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'peyk-bench-fsync-'))
  const file = await open(join(folder, 'file'), 'w')
  try {
    const block = Buffer.alloc(8192, 1)
    const times: number[] = []
    for (let index = 0; index < 100; index++) {
      const startedAt = performance.now()
      await file.write(block, 0, block.length, (index % 10) * block.length)
      await file.datasync()
      times.push(performance.now() - startedAt)
    }
    return Number(median(times).toFixed(3))
  } finally {
    await file.close()
    await rm(folder, { recursive: true, force: true })
  }
}
