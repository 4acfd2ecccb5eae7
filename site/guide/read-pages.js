import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Lexer } from 'marked'
import { groups, internals } from './pages.js'

const decisions = 'docs/internals/decisions'

/**
 * The groups for users and for maintainers, with their pages as Markdown: `{ name, title, about, file, markdown }`, or
 * `{ title, about, link }`. Decisions are so many that they stand on a page of their own, and not in the navigation.
 */
export function readPages(root) {
  const named = new Set([...groups, ...internals].flatMap(({ pages }) => pages.map(({ file }) => file)))
  const others = listDocuments(root)
    .filter((file) => !named.has(file) && !file.startsWith(`${decisions}/`))
    .map((file) => ({ name: nameOf(file), file, about: '' }))
  const users = others.length > 0 ? [...groups, { title: 'More', pages: others }] : groups
  const read = (pages) => pages.map((page) => (page.file === undefined ? page : { ...page, ...readPage(root, page) }))
  const readAll = (all) => all.map(({ title, pages }) => ({ title, pages: read(pages) }))
  const ofDecisions = listDocuments(root)
    .filter((file) => file.startsWith(`${decisions}/`))
    .map((file) => ({ name: `internals/decisions${file.endsWith('README.md') ? '' : `/${nameOf(file)}`}`, file }))
  return { users: readAll(users), internals: readAll(internals), decisions: read(ofDecisions) }
}

/** Every page of docs/, as a path from the root. */
export function listDocuments(root) {
  return readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .sort()
}

function nameOf(file) {
  return file.split('/').at(-1).slice(0, -'.md'.length)
}

function readPage(root, { file, title, sections }) {
  const text = readFileSync(join(root, file), 'utf8')
  if (sections === undefined) return { markdown: text, title: title ?? titleOf(text, file) }
  return { markdown: `# ${title}\n\n${sectionsOf(text, sections, file)}`, title }
}
function titleOf(text, file) {
  const heading = new Lexer().lex(text).find(({ type, depth }) => type === 'heading' && depth === 1)
  if (heading === undefined) throw new Error(`${file} has no title.`)
  return heading.text.replaceAll('`', '')
}

/** What stands under headings of the second level, in their order. */
function sectionsOf(text, names, file) {
  const parts = splitSections(text)
  return names
    .map((name) => {
      const part = parts.get(name)
      if (part === undefined) throw new Error(`${file} has no section "${name}".`)
      return part
    })
    .join('')
}

/** By the text of the heading; what stands before the first one is under ''. */
export function splitSections(text) {
  const parts = new Map([['', '']])
  let current = ''
  for (const token of new Lexer().lex(text)) {
    if (token.type === 'heading' && token.depth === 2) current = token.text
    parts.set(current, (parts.get(current) ?? '') + token.raw)
  }
  return parts
}
