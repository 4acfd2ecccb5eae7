import { type AttributeChange, AttributeFacts } from './columns/attribute-facts.ts'
import { type Bitmap, createBitmap } from './columns/bitmap.ts'
import { CodedValues } from './columns/coded-values.ts'
import { type CounterChange, CounterFacts } from './columns/counter-facts.ts'
import { grow } from './columns/grow.ts'
import { KeyTable } from './columns/key-table.ts'
import { TagFacts } from './columns/tag-facts.ts'

export const textColumns = ['device_type', 'client_version_key', 'os_version_key', 'language', 'time_zone'] as const
export const timeColumns = ['installed_at', 'launched_at', 'created_at'] as const
export type TextColumn = (typeof textColumns)[number]
export type TimeColumn = (typeof timeColumns)[number]

/** An installation as its row has it; times in whole milliseconds. Channels that are left out stay as they are. */
export interface InstallationChange {
  user_no: number
  isThere: boolean
  launch_count: number
  times: Record<TimeColumn, number>
  texts: Record<TextColumn, string | undefined>
  subscriptions?: readonly string[]
}

/**
 * All that rules can ask of one app's installations and users, in columns. A row is given to each number when it is first
 * heard of, and never to another: what is known of it may come and go in any order.
 */
export class SegmentData {
  readonly times: Record<TimeColumn, Float64Array<ArrayBuffer>>
  readonly texts: Record<TextColumn, CodedValues<string>>
  readonly subscriptions = new CodedValues<readonly string[]>()
  launchCounts = new Int32Array(0)
  /** No installation was made after it. */
  newestMs = Number.NEGATIVE_INFINITY
  /** By installation. */
  userOf = new Uint32Array(0)
  readonly tags = new Map<string, TagFacts>()
  readonly userAttributes = new Map<string, AttributeFacts>()
  readonly ownAttributes = new Map<string, AttributeFacts>()
  readonly counters = new Map<string, CounterFacts>()
  private readonly installations = new KeyTable('wide')
  private readonly users = new KeyTable('wide')
  private installed: Bitmap = createBitmap(0)

  constructor() {
    this.times = {
      installed_at: new Float64Array(0),
      launched_at: new Float64Array(0),
      created_at: new Float64Array(0),
    }
    const texts = textColumns.map((column) => [column, new CodedValues<string>()])
    this.texts = Object.fromEntries(texts)
  }

  get installationRows(): number {
    return this.installations.length
  }

  get userRows(): number {
    return this.users.length
  }

  /** Those that are there. */
  copyInstalled(): Bitmap {
    const bits = createBitmap(this.installationRows)
    bits.set(this.installed.subarray(0, bits.length))
    return bits
  }

  putInstallation(no: number, change: InstallationChange): void {
    const row = this.rowOf(no)
    this.userOf[row] = this.users.add(change.user_no)
    this.launchCounts[row] = change.launch_count
    for (const column of timeColumns) this.times[column][row] = change.times[column]
    if (change.times.created_at > this.newestMs) this.newestMs = change.times.created_at
    for (const column of textColumns) this.texts[column].set(row, change.texts[column])
    if (change.subscriptions) this.subscriptions.set(row, change.subscriptions)
    this.setInstalled(row, change.isThere)
  }

  removeInstallation(no: number): void {
    this.setInstalled(this.rowOf(no), false)
  }

  putTag(userNo: number, tag: string, value: string | undefined): void {
    factsOf(this.tags, tag, TagFacts).put(this.users.add(userNo), value)
  }

  removeTag(userNo: number, tag: string): void {
    this.tags.get(tag)?.remove(this.users.add(userNo))
  }

  putUserAttribute(userNo: number, name: string, change: AttributeChange): void {
    factsOf(this.userAttributes, name, AttributeFacts).put(this.users.add(userNo), change)
  }

  removeUserAttribute(userNo: number, name: string): void {
    this.userAttributes.get(name)?.remove(this.users.add(userNo))
  }

  putOwnAttribute(no: number, name: string, change: AttributeChange): void {
    factsOf(this.ownAttributes, name, AttributeFacts).put(this.rowOf(no), change)
  }

  removeOwnAttribute(no: number, name: string): void {
    this.ownAttributes.get(name)?.remove(this.rowOf(no))
  }

  putCounter(no: number, eventKey: string, change: CounterChange): void {
    factsOf(this.counters, eventKey, CounterFacts).put(this.rowOf(no), change)
  }

  removeCounter(no: number, eventKey: string): void {
    this.counters.get(eventKey)?.remove(this.rowOf(no))
  }

  private rowOf(no: number): number {
    const row = this.installations.add(no)
    const rows = this.installations.length
    this.userOf = grow(this.userOf, rows)
    this.launchCounts = grow(this.launchCounts, rows)
    for (const column of timeColumns) this.times[column] = grow(this.times[column], rows)
    this.installed = grow(this.installed, (rows + 31) >>> 5)
    return row
  }

  private setInstalled(row: number, isThere: boolean): void {
    const word = row >>> 5
    const bit = 1 << (row & 31)
    const before = this.installed[word] as number
    this.installed[word] = isThere ? before | bit : before & ~bit
  }
}

function factsOf<Facts>(all: Map<string, Facts>, name: string, Constructor: new () => Facts): Facts {
  const known = all.get(name)
  if (known) return known
  const made = new Constructor()
  all.set(name, made)
  return made
}
