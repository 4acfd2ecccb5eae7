import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { firstEn } from '../panel/src/texts/en/first.ts'
import { resolveImport } from './helpers/runner/resolve-import.ts'

const root = join(import.meta.dirname, '..')
const shownFirst = [
  'main.tsx',
  'pages/login/EnterPage.tsx',
  'pages/overview/CurrencySelect.tsx',
  'pages/overview/checklist/ChecklistCard.tsx',
  'pages/overview/OverviewPage.tsx',
]

test('what is shown first needs none of the texts that come with the other pages', () => {
  const files = [...filesLoadedWith(shownFirst)]
  expect(files.length).toBeGreaterThan(50)
  const needed = files.flatMap((file) => textsIn(read(file)).map((name) => `${name} in ${file}`))
  expect(needed.length).toBeGreaterThan(30)
  expect(needed.filter((need) => !((need.split(' ')[0] as string) in firstEn))).toEqual([])
})

function filesLoadedWith(names: string[], files = new Set<string>()): Set<string> {
  for (const file of names.map((name) => `panel/src/${name}`)) addFile(file, files)
  return files
}

function addFile(file: string, files: Set<string>): void {
  if (files.has(file)) return
  files.add(file)
  const imports = read(file).matchAll(/^(?:import|export) (?!type\b)[^']*'([^']+\.tsx?)'/gm)
  for (const [, name] of imports) {
    const path = resolveImport(file, name as string)
    if (path !== undefined) addFile(path, files)
  }
}

/** `users` and `shell` in `const { users: texts, shell } = useTexts()`. */
function textsIn(source: string): string[] {
  const named = [...source.matchAll(/\{([^{}]*)\} = useTexts\(\)$/gm)].flatMap(([, names]) =>
    (names as string).split(','),
  )
  const taken = [...source.matchAll(/useTexts\(\)\.(\w+)/g)].map(([, name]) => name as string)
  return [...named.map((name) => (name.split(':')[0] as string).trim()), ...taken]
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}
