import { readFile, rename, rm, writeFile } from 'node:fs/promises'

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
  line: number
  counts: ImportCounts
}

/** Where an earlier run was ended; undefined when there is none, or it was of another file or app. */
export async function readPlace(file: string, { app, size, mtimeMs }: ImportPlace): Promise<ImportPlace | undefined> {
  const text = await readFile(placeFile(file), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const place = JSON.parse(text) as ImportPlace
  return place.app === app && place.size === size && place.mtimeMs === mtimeMs ? place : undefined
}

/** Undefined: it has come to the end. */
export async function writePlace(file: string, place: ImportPlace | undefined): Promise<void> {
  if (!place) return rm(placeFile(file), { force: true })
  const part = `${placeFile(file)}.part`
  await writeFile(part, JSON.stringify(place))
  await rename(part, placeFile(file))
}

function placeFile(file: string): string {
  return `${file}.import.json`
}
