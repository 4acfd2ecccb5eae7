import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { SOCKET_PORT } from './socket-folder.ts'

const MB = 1024 * 1024
const fewestConnections = 60
/** For commands beside the service, and for PostgreSQL's own use. */
const spareConnections = 24

function memoryMb(): number {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.floor(Math.min(totalmem(), limit) / MB)
}

/** In a container with 64 MB of /dev/shm parallel queries would fail for lack of it. */
export async function sharedMemorySettings(): Promise<Record<string, string>> {
  if (process.platform !== 'linux') return {}
  const shm = await statfs('/dev/shm').catch(() => undefined)
  return shm !== undefined && shm.bsize * shm.blocks < 256 * MB ? { dynamic_shared_memory_type: 'mmap' } : {}
}

export const asArguments = (settings: Record<string, string>) =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])

export async function buildPostgresArguments(
  pgdata: string,
  socketFolder: string,
  extra: Record<string, string>,
  connections = 0,
): Promise<string[]> {
  const ramMb = memoryMb()
  const settings: Record<string, string> = {
    shared_buffers: `${ramMb < 1024 ? Math.max(16, Math.floor(ramMb / 4)) : 256}MB`,
    effective_cache_size: `${Math.max(64, Math.floor(ramMb / 2))}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '256MB',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    wal_compression: 'off',
    max_wal_size: '2GB',
    // Files of the log that are used again, so that a crowd or a big send after a quiet time needs no new ones.
    min_wal_size: '512MB',
    // The index of segments follows the log; when it does not keep up, it is cut off rather than that the disk fills.
    wal_level: 'logical',
    max_slot_wal_keep_size: '4GB',
    checkpoint_timeout: '15min',
    max_connections: String(Math.max(fewestConnections, connections + spareConnections)),
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    ...(await sharedMemorySettings()),
    ...extra,
    listen_addresses: '',
    port: String(SOCKET_PORT),
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    logging_collector: 'off',
  }
  return ['-D', pgdata, ...asArguments(settings)]
}
