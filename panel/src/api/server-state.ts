/** Whether the service answers. While it does not, it is asked again and again, and a banner says so. */
type Listener = () => void

/** So long the service may take to say that it is there. */
const readyMs = 4_000

let isLost = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<Listener>()

export function subscribeToServer(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function isServerLost(): boolean {
  return isLost
}

export function recordAnswer(): void {
  change(false)
}

export function recordSilence(): void {
  if (isLost) return
  change(true)
  askAgain(1000)
}

/** Something did not come: that may be all, or the service is gone. */
export async function recordDoubt(): Promise<void> {
  if (!isLost && !(await isReady())) recordSilence()
}

/** At once, or when the service is back. */
export async function untilItAnswers(): Promise<void> {
  await recordDoubt()
  if (!isLost) return
  await new Promise<void>((resolve) => {
    const stop = subscribeToServer(() => {
      stop()
      resolve()
    })
  })
}

export function askNow(): void {
  clearTimeout(timer)
  void ask(1000)
}

function askAgain(delayMs: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => void ask(delayMs), delayMs)
}

async function ask(delayMs: number): Promise<void> {
  if (await isReady()) change(false)
  else askAgain(Math.min(delayMs * 1.5, 10_000))
}

/** One that hangs takes connections and answers nothing. */
function isReady(): Promise<boolean> {
  return fetch('/ready', { cache: 'no-store', signal: AbortSignal.timeout(readyMs) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

function change(lost: boolean): void {
  if (lost === isLost) return
  isLost = lost
  for (const listener of listeners) listener()
}

// Without a network the service may still be there, on this machine.
addEventListener('offline', () => void recordDoubt())
addEventListener('online', () => isLost && askNow())
