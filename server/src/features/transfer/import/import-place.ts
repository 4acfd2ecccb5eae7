import { readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'

export interface ImportCounts {
  lines: number
  imported: number
  /** New ones. */
  devices: number
  guests: number
  refused: number
}

/** How far an import has come, and of which file into which app. */
export interface ImportPlace {
  app: string
  size: number
  mtimeMs: number
  /** How lines are read. An import with other options begins at the first line. */
  options: string
  line: number
  counts: ImportCounts
  /** Size of the list of refused lines. Anything beyond it will be written again. */
  refusedBytes: number
}

/** Returns where an earlier run stopped; undefined if there was none, or it had another file, app, or options. */
export async function readPlace(file: string, start: ImportPlace): Promise<ImportPlace | undefined> {
  const text = await readFile(placeFile(file), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const place = JSON.parse(text) as ImportPlace
  return (['app', 'size', 'mtimeMs', 'options'] as const).every((name) => place[name] === start[name])
    ? place
    : undefined
}

/** Undefined: the import is complete. */
export async function writePlace(file: string, place: ImportPlace | undefined): Promise<void> {
  if (!place) return rm(placeFile(file), { force: true })
  const part = `${placeFile(file)}.part`
  await writeFile(part, JSON.stringify(place))
  await rename(part, placeFile(file))
}

/** Truncates the list of refused lines to its size at this place, and returns that size. */
export async function rewindRefused(refusedFile: string, place: ImportPlace | undefined): Promise<number> {
  const size = place && (await stat(refusedFile).catch(() => undefined))?.size
  if (size === undefined || place === undefined || place.refusedBytes === 0) {
    await rm(refusedFile, { force: true })
    return 0
  }
  const kept = Math.min(size, place.refusedBytes)
  await truncate(refusedFile, kept)
  return kept
}

function placeFile(file: string): string {
  return `${file}.import.json`
}
