/** Beside its pool a process has one to listen, one to hold locks and one to ask whether PostgreSQL lives. */
const besidePool = 3
/** With fewer, whoever holds one while it waits for a client leaves too few for the others. */
const fewestOfPool = 3
/** For the primary, commands beside the service, and a person with psql. */
const spare = 8

export interface ConnectionShares {
  processes: number
  poolSizeOfEach: number
}

/**
 * How many processes there are, and how many connections the pool of each has. All fit into what PostgreSQL allows: first
 * the pools get smaller, then there are fewer processes. `limit` undefined: PostgreSQL is ours, and has as many as needed.
 */
export function shareConnections(
  { processes, poolSize }: { processes: number; poolSize: number },
  limit?: number,
): ConnectionShares {
  const wanted = Math.max(fewestOfPool, Math.floor(poolSize / processes))
  if (limit === undefined) return { processes, poolSizeOfEach: wanted }
  const fitting = Math.max(1, Math.min(processes, Math.floor((limit - spare) / (fewestOfPool + besidePool))))
  const room = Math.floor((limit - spare) / fitting) - besidePool
  const ofEach = Math.floor(Math.max(poolSize, fewestOfPool) / fitting)
  return { processes: fitting, poolSizeOfEach: Math.max(fewestOfPool, Math.min(ofEach, room)) }
}

/** How many all of them need at most. */
export function connectionsOf({ processes, poolSizeOfEach }: ConnectionShares): number {
  return processes * (poolSizeOfEach + besidePool) + spare
}
