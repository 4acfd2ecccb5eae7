import type { LiveTopic } from '@peyk/contract'
import type { LiveSample } from '#features/statistics/overview/sample-live.ts'

interface Fact {
  topic: LiveTopic
  /** Of messages and events; empty for what there is one of. */
  id: string
  json: string
  /** The sample in which it became what it is. */
  changedIn: number
  seenIn: number
}

export interface LiveReader {
  topics: ReadonlySet<LiveTopic>
  messageId: string | undefined
  /** The last sample it knows. */
  knows: number
}

export interface LiveChange {
  topic: LiveTopic
  json: string
}

/** So long a fact is kept after the last sample that had it, for readers that are slow. */
const keptSamples = 60

/**
 * What is known of an app, and since which sample. A reader is told whatever changed after the last sample it knows: one
 * that missed some gets the latest, and nothing twice.
 */
export class LiveBoard {
  private sample = 0
  private readonly facts = new Map<string, Fact>()

  get latest(): number {
    return this.sample
  }

  put({ messages, events, alerts, checklist, watched }: LiveSample): void {
    this.sample++
    for (const message of messages) this.note('messages', message.id, message)
    for (const event of events) this.note('events', event.id, event)
    for (const message of watched) this.note('message', message.id, message)
    if (alerts) this.note('alerts', '', alerts)
    if (checklist) this.note('checklist', '', checklist)
    for (const [key, fact] of this.facts) if (fact.seenIn < this.sample - keptSamples) this.facts.delete(key)
  }

  changesFor(reader: LiveReader): LiveChange[] {
    const changed = [...this.facts.values()].filter((fact) => fact.changedIn > reader.knows && concerns(fact, reader))
    const lists = (['messages', 'events'] as const).flatMap((topic) => {
      const items = changed.filter((fact) => fact.topic === topic).map((fact) => fact.json)
      return items.length > 0 ? [{ topic, json: `[${items.join(',')}]` }] : []
    })
    const single = changed.filter((fact) => fact.topic !== 'messages' && fact.topic !== 'events')
    return [...lists, ...single.map(({ topic, json }) => ({ topic, json }))]
  }

  private note(topic: LiveTopic, id: string, value: unknown): void {
    const key = `${topic} ${id}`
    const json = JSON.stringify(value)
    const known = this.facts.get(key)
    if (known?.json === json) known.seenIn = this.sample
    else this.facts.set(key, { topic, id, json, changedIn: this.sample, seenIn: this.sample })
  }
}

function concerns({ topic, id }: Fact, { topics, messageId }: LiveReader): boolean {
  return topic === 'message' ? id === messageId : topics.has(topic)
}
