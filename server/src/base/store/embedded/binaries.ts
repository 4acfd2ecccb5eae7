import { readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

export interface PostgresBinaries {
  /** Holds bin, lib and share. */
  folder: string
  version: string
}

export const executable = (binaries: PostgresBinaries, name: 'initdb' | 'postgres') =>
  join(binaries.folder, 'bin', name)

/** Nothing of our own environment: a PGPORT or PGOPTIONS there is meant for others. */
export const environment = (binaries: PostgresBinaries) => ({
  LC_ALL: 'C',
  PATH: '/usr/bin:/bin',
  LD_LIBRARY_PATH: join(binaries.folder, 'lib'),
})

export async function findBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const packageFolder = findPackage(name)
  if (packageFolder === undefined) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for this machine (${name} is not installed): set PEYK_DATABASE_URL to a PostgreSQL server.`,
    )
  }
  await restoreLinks(packageFolder)
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  return { folder: join(packageFolder, 'native'), version }
}

function findPackage(name: string): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    return undefined
  }
}

// npm packages hold no symbolic links: the package's install script makes them, unless npm was told to run none.
async function restoreLinks(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(relative(dirname(target), source), join(packageFolder, target)).catch(() => undefined)
  }
}
