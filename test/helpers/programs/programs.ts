import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where a program is installed, in the places of the PATH and those of the system's servers; undefined when it is not. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin', '/usr/local/sbin']
  return folders
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}
