type Stop = () => Promise<unknown>

const started: Stop[] = []

/** Whatever is started is ended after the bench, however it ends. */
export function stopLater(stop: Stop): void {
  started.push(stop)
}

/** The last first: services before the database they use. */
export async function stopAll(): Promise<void> {
  for (const stop of started.splice(0).reverse()) await stop().catch((error) => console.error(error))
}
