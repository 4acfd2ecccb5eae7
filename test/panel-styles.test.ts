import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { beforeAll, expect, test } from 'vitest'

const panel = new URL('../panel/', import.meta.url)
const allStyles = createRequire(new URL('package.json', panel)).resolve('@mantine/core/styles.css')

beforeAll(async () => {
  const { buildPanel } = await import(new URL('build.js', panel).href)
  await buildPanel()
}, 120_000)

test('the panel has the styles of every component that it has', async () => {
  const used = classesIn(await readBuilt('.js'))
  const styled = classesIn(await readBuilt('.css'))
  const needed = classesIn(await readFile(allStyles, 'utf8')).filter((name) => used.includes(name))
  expect(needed.length).toBeGreaterThan(100)
  expect(needed.filter((name) => !styled.includes(name))).toEqual([])
})

async function readBuilt(ending: string): Promise<string> {
  const assets = new URL('dist/assets/', panel)
  const names = (await readdir(assets)).filter((name) => name.endsWith(ending))
  return (await Promise.all(names.map((name) => readFile(new URL(name, assets), 'utf8')))).join('\n')
}

/** Mantine's, which are the same in its scripts and in its styles. */
function classesIn(text: string): string[] {
  return [...new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g))]
}
