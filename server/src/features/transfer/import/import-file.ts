import { appendFile, stat } from 'node:fs/promises'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { countAppInstallations } from '../../statistics/usage/count-app-installations.ts'
import { type ColumnMap, checkUnique, resolveColumns } from './column-map.ts'
import { type ImportCounts, type ImportPlace, readPlace, rewindRefused, writePlace } from './import-place.ts'
import { importAttributes, importDevices, importTags } from './import-record.ts'
import type { ImportSource } from './onesignal.ts'
import { type FileLine, type ImportFormat, readColumns, readLines } from './read-lines.ts'
import { type ImportRecord, readRecord } from './read-record.ts'

export interface ImportOrder {
  file: string
  format: ImportFormat
  /** The service that the file comes from. */
  from?: ImportSource
  map: ColumnMap
  deviceTypes: ReadonlyMap<string, string>
  /** Leaves out columns that match no field. */
  ignoresRest?: boolean
  /** Only looks at the lines. */
  isDryRun: boolean
  onProgress(counts: ImportCounts): void
}

export interface ImportAnswer extends ImportCounts {
  /** The line that an earlier run had come to. */
  resumedAfter: number | undefined
  /** Where the lines are that were left out. */
  refusedFile: string
}

const linesAtOnce = 1_000
/** While one part is stored, the next ones are read and checked. */
const partsAtOnce = 3

/** Imports users and devices from a file. An interrupted import continues where it stopped. */
export async function importFile(ctx: Context, order: ImportOrder): Promise<ImportAnswer> {
  const { file, format, isDryRun } = order
  const refusedFile = `${file}.refused.ndjson`
  const fields = await resolveFields(order)
  const start = await startOf(ctx, order, fields)
  const found = isDryRun ? undefined : await readPlace(file, start)
  let place = found ?? start
  place = { ...place, refusedBytes: await rewindRefused(refusedFile, found) }
  const reading = { appLabel: ctx.app.label, now: ctx.now(), ...readDeviceTypes(order) }
  const stages: Stages = { devices: new Stage(), tags: new Stage(), attributes: new Stage() }

  const settle = async ({ lines, outcomes }: Part) => {
    const settled = await outcomes
    const refused = settled
      .flatMap(({ fault }, index) =>
        fault === undefined ? [] : [`${JSON.stringify({ line: lines[index]?.line, why: fault })}\n`],
      )
      .join('')
    if (refused !== '') await appendFile(refusedFile, refused)
    const counts = settled.reduce(add, place.counts)
    const refusedBytes = place.refusedBytes + Buffer.byteLength(refused)
    place = { ...place, line: lines.at(-1)?.line ?? place.line, counts, refusedBytes }
    if (!isDryRun) await writePlace(file, place)
    order.onProgress(counts)
  }

  const parts: Part[] = []
  try {
    for await (const lines of inParts(readLines(file, format, fields), place.line)) {
      const outcomes = bringAll(
        ctx,
        lines.map((line) => readLine(line, reading)),
        isDryRun ? undefined : stages,
      )
      outcomes.catch(() => {})
      parts.push({ lines, outcomes })
      if (parts.length >= partsAtOnce) await settle(parts.shift() as Part)
    }
    while (parts.length > 0) await settle(parts.shift() as Part)
  } finally {
    await Promise.allSettled(parts.map(({ outcomes }) => outcomes))
  }
  if (!isDryRun) {
    await writePlace(file, undefined)
    await countAppInstallations(ctx.store, ctx.app.id)
  }
  return { ...place.counts, resumedAfter: found?.line, refusedFile }
}

async function resolveFields({ file, format, from, map, ignoresRest = false }: ImportOrder): Promise<ColumnMap> {
  const names = await readColumns(file, format)
  const fields = resolveColumns({ names, given: map, usual: from?.columns ?? new Map(), ignoresRest })
  // JSON lines may use different names for the same field.
  if (format === 'csv') checkUnique(names, fields)
  return fields
}

function readDeviceTypes({ from, deviceTypes }: ImportOrder) {
  return {
    deviceTypes: new Map([...(from?.deviceTypes ?? []), ...deviceTypes]),
    refusedTypes: from?.refusedTypes ?? new Map<string, string>(),
  }
}

async function startOf(ctx: Context, order: ImportOrder, fields: ColumnMap): Promise<ImportPlace> {
  const { size, mtimeMs } = await stat(order.file)
  const options = JSON.stringify([[...fields], [...readDeviceTypes(order).deviceTypes]])
  const counts = { lines: 0, imported: 0, devices: 0, guests: 0, refused: 0 }
  return { app: ctx.app.label, size, mtimeMs, options, line: 0, counts, refusedBytes: 0 }
}

interface Part {
  lines: readonly FileLine[]
  outcomes: Promise<Outcome[]>
}

interface Outcome {
  fault?: string
  isGuest?: true
  devices?: number
}

type Stages = Record<'devices' | 'tags' | 'attributes', Stage>

/** Handles one part after another in file order: of two lines about a user, the later one wins. */
class Stage {
  private last: Promise<unknown> = Promise.resolve()

  run(work: () => Promise<unknown>): Promise<void> {
    const running = this.last.then(work)
    this.last = running
    return running.then(() => {})
  }
}

type Read = ImportRecord | RequestError | undefined

/** Without stages, nothing is stored. */
async function bringAll(ctx: Context, read: readonly Read[], stages: Stages | undefined): Promise<Outcome[]> {
  const outcomes = read.map((record): Outcome => {
    if (!record) return { isGuest: true }
    return record instanceof RequestError ? { fault: record.message } : { devices: record.devices.length }
  })
  if (!stages) return outcomes
  const owners = new Set<ImportRecord>()
  const each = (work: (record: ImportRecord, outcome: Outcome) => Promise<void>) => () =>
    Promise.all(
      read.map(async (record, index) => {
        const outcome = outcomes[index] as Outcome
        if (!record || outcome.fault !== undefined) return
        await work(record as ImportRecord, outcome).catch((error) => {
          outcome.fault = ownFault(error).message
        })
      }),
    )
  await stages.devices.run(
    each(async (record, outcome) => {
      outcome.devices = 0
      const { devices, isOwner } = await importDevices(ctx, record)
      outcome.devices = devices
      if (isOwner) owners.add(record)
    }),
  )
  await stages.tags.run(each(async (record) => (owners.has(record) ? importTags(ctx, record) : undefined)))
  await stages.attributes.run(each(async (record) => (owners.has(record) ? importAttributes(ctx, record) : undefined)))
  return outcomes
}

function readLine({ fields, fault = '' }: FileLine, reading: Parameters<typeof readRecord>[1]): Read {
  if (!fields) return new RequestError('invalid-request', fault)
  try {
    return readRecord(fields, reading)
  } catch (error) {
    return ownFault(error)
  }
}

/** The database's trouble is not the line's. */
function ownFault(error: unknown): RequestError {
  if (error instanceof RequestError && error.status < 500) return error
  throw error
}

function add(counts: ImportCounts, { fault, isGuest, devices = 0 }: Outcome): ImportCounts {
  return {
    lines: counts.lines + 1,
    imported: counts.imported + (fault === undefined && !isGuest ? 1 : 0),
    devices: counts.devices + devices,
    guests: counts.guests + (isGuest ? 1 : 0),
    refused: counts.refused + (fault === undefined ? 0 : 1),
  }
}

async function* inParts(parts: AsyncIterable<FileLine[]>, after: number): AsyncGenerator<FileLine[]> {
  for await (const lines of parts) {
    const rest = lines.filter(({ line }) => line > after)
    for (let from = 0; from < rest.length; from += linesAtOnce) yield rest.slice(from, from + linesAtOnce)
  }
}
