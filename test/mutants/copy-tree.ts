import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'

const leftOut = new Set(['node_modules', '.git', '.peyk', 'bench', 'docs'])
const workspaces = ['contract', 'server', 'simulator', 'sdk', 'panel', 'test']

/** A copy of the tree to change, with the installed packages of the original; our own packages are those of the copy. */
export async function copyTree(root: string, copy: string): Promise<void> {
  await cp(root, copy, { recursive: true, filter: (path) => path === root || !leftOut.has(basename(path)) })
  await cp(join(root, 'docs'), join(copy, 'docs'), { recursive: true })
  await mkdir(join(copy, 'node_modules/@peyk'), { recursive: true })
  const packages = (await readdir(join(root, 'node_modules'))).filter((name) => name !== '@peyk' && name !== '.cache')
  for (const name of packages) await symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  for (const name of workspaces) await symlink(join(copy, name), join(copy, 'node_modules/@peyk', name))
}
