import { appendFile, rm, stat } from 'node:fs/promises'
import type { Context } from '../../../base/context.ts'
import { RequestError } from '../../../base/errors.ts'
import type { ColumnMap } from './column-map.ts'
import { findKnownDevices } from './find-known-devices.ts'
import { type ImportCounts, type ImportPlace, readPlace, writePlace } from './import-place.ts'
import { importRecord } from './import-record.ts'
import { type FileLine, type ImportFormat, readLines } from './read-lines.ts'
import { readRecord } from './read-record.ts'

export interface ImportOrder {
  file: string
  format: ImportFormat
  map: ColumnMap
  deviceTypes: ReadonlyMap<string, string>
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

const linesAtOnce = 500

/** Brings users and devices in from a file. One that was ended goes on where it was. */
export async function importFile(ctx: Context, order: ImportOrder): Promise<ImportAnswer> {
  const { file, isDryRun } = order
  const refusedFile = `${file}.refused.ndjson`
  const { size, mtimeMs } = await stat(file)
  const start: ImportPlace = { app: ctx.app.label, size, mtimeMs, line: 0, counts: noCounts }
  const found = isDryRun ? undefined : await readPlace(file, start)
  const place = found ?? start
  if (!found) await rm(refusedFile, { force: true })
  let { counts } = place
  for await (const lines of inChunks(readLines(file, order.format, order.map), place.line)) {
    const outcomes = await bringAll(ctx, lines, order)
    const refused = outcomes.flatMap(({ fault }, index) =>
      fault === undefined ? [] : [`${JSON.stringify({ line: lines[index]?.line, why: fault })}\n`],
    )
    if (refused.length > 0) await appendFile(refusedFile, refused.join(''))
    counts = outcomes.reduce(add, counts)
    if (!isDryRun) await writePlace(file, { ...place, line: lines.at(-1)?.line ?? place.line, counts })
    order.onProgress(counts)
  }
  if (!isDryRun) await writePlace(file, undefined)
  return { ...counts, resumedAfter: found?.line, refusedFile }
}

const noCounts: ImportCounts = { lines: 0, imported: 0, devices: 0, guests: 0, refused: 0 }

interface Outcome {
  fault?: string
  isGuest?: true
  devices?: number
}

async function bringAll(ctx: Context, lines: readonly FileLine[], order: ImportOrder): Promise<Outcome[]> {
  const read = lines.map((line) => readLine(ctx, line, order))
  const devices = read.flatMap((each) => (each instanceof RequestError ? [] : (each?.devices ?? [])))
  const known = order.isDryRun ? new Set<string>() : await findKnownDevices(ctx, devices)
  return Promise.all(
    read.map(async (record): Promise<Outcome> => {
      if (!record) return { isGuest: true }
      if (record instanceof RequestError) return { fault: record.message }
      if (order.isDryRun) return { devices: record.devices.length }
      return importRecord(ctx, record, known).catch((error) => ({ fault: ownFault(error).message }))
    }),
  )
}

function readLine(ctx: Context, { fields, fault = '' }: FileLine, { deviceTypes }: ImportOrder) {
  if (!fields) return new RequestError('invalid-request', fault)
  try {
    return readRecord(fields, { appLabel: ctx.app.label, deviceTypes })
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

async function* inChunks(parts: AsyncIterable<FileLine[]>, after: number): AsyncGenerator<FileLine[]> {
  for await (const lines of parts) {
    const rest = lines.filter(({ line }) => line > after)
    for (let from = 0; from < rest.length; from += linesAtOnce) yield rest.slice(from, from + linesAtOnce)
  }
}
