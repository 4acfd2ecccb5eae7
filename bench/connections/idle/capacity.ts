import { raiseFileLimit } from '../../measure/file-limit.ts'

/** Files that the service has open besides its connections. */
const otherFiles = 1_000
/** More would need more connections to PostgreSQL than it takes. */
const mostProcesses = 6

export interface Capacity {
  connections: number
  /** Of the service, which share them. */
  processes: number
}

/** One process where it may have so many files open; else several, and as many connections as these can hold. */
export function findCapacity(wanted: number): Capacity {
  const { files, missing } = raiseFileLimit(wanted + otherFiles)
  if (missing === undefined) return { connections: wanted, processes: 1 }
  const perProcess = files - otherFiles
  const processes = Math.min(mostProcesses, Math.ceil(wanted / perProcess))
  const connections = Math.min(wanted, processes * perProcess)
  console.log(
    `  A process may have ${show(files)} files open, and ${show(wanted)} connections need ${show(wanted + otherFiles)}. The limit was not raised: ${missing}.\n` +
      `  That takes root with CAP_SYS_RESOURCE, "ulimit -n" beforehand, or for a container its "--ulimit nofile".\n` +
      `  Now ${processes} processes of the service hold ${show(connections)} connections together.`,
  )
  return { connections, processes }
}

function show(count: number): string {
  return count.toLocaleString('en-US')
}
