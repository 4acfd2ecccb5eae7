import { type AttributeChange, AttributeFacts } from './columns/attribute-facts.ts'
import { type Bitmap, GrowingBitmap } from './columns/bitmap.ts'
import { CodedValues } from './columns/coded-values.ts'
import { type CounterChange, CounterFacts } from './columns/counter-facts.ts'
import { KeyTable } from './columns/key-table.ts'
import { NumberColumn } from './columns/number-column.ts'
import { TagFacts } from './columns/tag-facts.ts'
import { UserRows } from './columns/user-rows.ts'

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
 * All that rules can ask of one app's installations and users, in columns. Installations and users share their rows: a
 * user has the row of its first installation, so that what is found of users needs no looking up for most installations.
 * Each number keeps the row that it got when it was first heard of: what is known of it may come and go in any order.
 */
export class SegmentData {
  readonly times: Record<TimeColumn, NumberColumn>
  readonly texts: Record<TextColumn, CodedValues<string>>
  readonly subscriptions = new CodedValues<readonly string[]>('rows')
  readonly launchCounts = new NumberColumn()
  readonly userRows = new UserRows()
  readonly tags = new Map<string, TagFacts>()
  readonly userAttributes = new Map<string, AttributeFacts>()
  readonly ownAttributes = new Map<string, AttributeFacts>()
  readonly counters = new Map<string, CounterFacts>()
  /** How many rows there are. */
  rows = 0
  private readonly installations = new KeyTable('wide')
  private readonly users = new KeyTable('wide')
  private readonly installed = new GrowingBitmap()

  constructor() {
    this.times = {
      installed_at: new NumberColumn(),
      launched_at: new NumberColumn(),
      created_at: new NumberColumn(),
    }
    const texts = textColumns.map((column) => [column, new CodedValues<string>('rows')])
    this.texts = Object.fromEntries(texts)
  }

  get installationCount(): number {
    return this.installations.size
  }

  /** The number of the installation that has the row. */
  installationAt(row: number): number {
    return (this.installations.keys[row] as number) - 1
  }

  /** Those that are there. */
  copyInstalled(): Bitmap {
    return this.installed.copy(this.rows)
  }

  putInstallation(no: number, change: InstallationChange): void {
    const row = this.placeInstallation(no, change.user_no)
    this.userRows.put(row, this.userRow(change.user_no, row))
    this.launchCounts.set(row, row, change.launch_count)
    for (const column of timeColumns) this.times[column].set(row, row, change.times[column])
    for (const column of textColumns) this.texts[column].set(row, change.texts[column])
    if (change.subscriptions) this.subscriptions.set(row, change.subscriptions)
    if (change.isThere) this.installed.set(row)
    else this.installed.clear(row)
  }

  removeInstallation(no: number): void {
    this.installed.clear(this.installationRow(no))
  }

  putTag(userNo: number, tag: string, value: string | undefined): void {
    factsOf(this.tags, tag, TagFacts).put(this.userRow(userNo), value, this.rows)
  }

  removeTag(userNo: number, tag: string): void {
    this.tags.get(tag)?.remove(this.userRow(userNo))
  }

  putUserAttribute(userNo: number, name: string, change: AttributeChange): void {
    factsOf(this.userAttributes, name, AttributeFacts).put(this.userRow(userNo), change, this.rows)
  }

  removeUserAttribute(userNo: number, name: string): void {
    this.userAttributes.get(name)?.remove(this.userRow(userNo))
  }

  putOwnAttribute(no: number, name: string, change: AttributeChange): void {
    factsOf(this.ownAttributes, name, AttributeFacts).put(this.installationRow(no), change, this.rows)
  }

  removeOwnAttribute(no: number, name: string): void {
    this.ownAttributes.get(name)?.remove(this.installationRow(no))
  }

  putCounter(no: number, eventKey: string, change: CounterChange): void {
    factsOf(this.counters, eventKey, CounterFacts).put(this.installationRow(no), change, this.rows)
  }

  removeCounter(no: number, eventKey: string): void {
    this.counters.get(eventKey)?.remove(this.installationRow(no))
  }

  /** Some milliseconds of work that makes the questions to come faster. False when there is none. */
  prepare(): boolean {
    const ofRows = [this.launchCounts, ...Object.values(this.times)]
    const facts = [this.counters, this.userAttributes, this.ownAttributes].flatMap((all) => [...all.values()])
    return [...ofRows, ...facts].some((one) => one.prepare())
  }

  /** The row of its user, where no installation has that one. */
  private placeInstallation(no: number, userNo: number): number {
    const known = this.installations.find(no)
    if (known !== -1) return known
    const ofUser = this.users.find(userNo)
    return this.installationRow(no, ofUser !== -1 && this.installations.isFree(ofUser) ? ofUser : this.rows)
  }

  private installationRow(no: number, free = this.rows): number {
    const known = this.installations.find(no)
    return known === -1 ? this.installations.put(no, this.openRow(free)) : known
  }

  /** A new user gets the row of the installation by which it is heard of, where no other user has that one. */
  private userRow(no: number, wanted = this.rows): number {
    const known = this.users.find(no)
    if (known !== -1) return known
    return this.users.put(no, this.openRow(this.users.isFree(wanted) ? wanted : this.rows))
  }

  private openRow(row: number): number {
    if (row < this.rows) return row
    this.rows = row + 1
    this.userRows.makeRoom(this.rows)
    return row
  }
}

function factsOf<Facts>(all: Map<string, Facts>, name: string, Constructor: new () => Facts): Facts {
  const known = all.get(name)
  if (known) return known
  const made = new Constructor()
  all.set(name, made)
  return made
}
