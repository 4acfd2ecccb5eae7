import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { firstEn } from '../panel/src/texts/en/first.ts'

const panel = join(import.meta.dirname, '../panel/src')
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
  const needed = files.flatMap((file) => textsIn(readFileSync(file, 'utf8')).map((name) => `${name} in ${file}`))
  expect(needed.length).toBeGreaterThan(30)
  expect(needed.filter((need) => !((need.split(' ')[0] as string) in firstEn))).toEqual([])
})

function filesLoadedWith(names: string[], files = new Set<string>()): Set<string> {
  for (const file of names.map((name) => join(panel, name))) addFile(file, files)
  return files
}

function addFile(file: string, files: Set<string>): void {
  if (files.has(file)) return
  files.add(file)
  const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type\b)[^']*'(\.[^']+\.tsx?)'/gm)
  for (const [, path] of imports) addFile(join(dirname(file), path as string), files)
}

/** `users` and `shell` in `const { users: texts, shell } = useTexts()`. */
function textsIn(source: string): string[] {
  const named = [...source.matchAll(/\{([^{}]*)\} = useTexts\(\)$/gm)].flatMap(([, names]) =>
    (names as string).split(','),
  )
  const taken = [...source.matchAll(/useTexts\(\)\.(\w+)/g)].map(([, name]) => name as string)
  return [...named.map((name) => (name.split(':')[0] as string).trim()), ...taken]
}
