type Stop = () => Promise<unknown>

const started: Stop[] = []
let stopping = Promise.resolve()

/** Whatever is started is ended after the bench, however it ends. */
export function stopLater(stop: Stop): void {
  started.push(stop)
}

/** The last first: services before the database they use. Called twice, both calls wait for the end. */
export function stopAll(): Promise<void> {
  const stops = started.splice(0).reverse()
  stopping = stopping.then(async () => {
    for (const stop of stops) await stop().catch((error) => console.error(error))
  })
  return stopping
}
