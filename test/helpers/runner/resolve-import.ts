import { dirname, join } from 'node:path'

/** The path of what a source file imports, both from the root. Undefined for packages that are not ours. */
export function resolveImport(file: string, name: string): string | undefined {
  if (name.startsWith('.')) return join(dirname(file), name)
  if (name.startsWith('#')) return join(file.slice(0, file.indexOf('/')), 'src', name.slice(1))
  const [, workspace, path] = /^@peyk\/([^/]+)\/(.+)$/.exec(name) ?? []
  if (workspace === undefined || path === undefined) return undefined
  if (workspace !== 'test') return join(workspace, 'src', path)
  return path.startsWith('row-types/') ? join('test', path) : join('test/helpers', path)
}
