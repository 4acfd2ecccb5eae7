/** What one process tells others. */
export interface Told {
  topic: string
  /** The body, as JSON. */
  json: string
  /** Whom alone it concerns; undefined: everybody who listens. */
  to: string | undefined
}

export type OnTold = (topic: string, body: unknown) => void

/** A way by which processes tell each other things. Whatever it loses is found by looking, some seconds later. */
export interface Carrier {
  /** Another number when something may not have been heard; undefined while nothing is. */
  readonly hearing: number | undefined
  /** Answers what could not go out this way. Never rejected. */
  send(told: readonly Told[]): Promise<readonly Told[]>
  /** From now on this process hears of the topic. With `byOne` it is enough that one of those who hear of it does. */
  follow(topic: string, options: { byOne: boolean }): void
  unfollow(topic: string): void
}

/** Anybody may say anything. */
export function readTold(text: string, onTold: OnTold): void {
  try {
    const told: unknown = JSON.parse(text)
    if (Array.isArray(told) && typeof told[0] === 'string') onTold(told[0], told[1])
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
}

export function writeTold({ topic, json }: Told): string {
  return `[${JSON.stringify(topic)},${json}]`
}
