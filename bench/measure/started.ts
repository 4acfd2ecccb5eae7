type Stop = () => Promise<unknown>

const ofBench: Stop[] = []
const ofRun: Stop[] = []
let stopping = Promise.resolve()

/** What a bench starts is ended after it, however it ends. */
export function stopLater(stop: Stop): void {
  ofBench.push(stop)
}

/** What all benches share is ended after the last of them. */
export function stopAtEnd(stop: Stop): void {
  ofRun.push(stop)
}

export function stopBench(): Promise<void> {
  return stopAll(ofBench)
}

export function stopRun(): Promise<void> {
  void stopAll(ofBench)
  return stopAll(ofRun)
}

/** The last first: services before the database they use. Called twice, both calls wait for the end. */
function stopAll(started: Stop[]): Promise<void> {
  const stops = started.splice(0).reverse()
  stopping = stopping.then(async () => {
    for (const stop of stops) await stop().catch((error) => console.error(error))
  })
  return stopping
}
