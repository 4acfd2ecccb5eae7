import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Lexer } from 'marked'
import { groups } from './pages.js'

/** The groups with their pages as Markdown: `{ name, title, about, file, markdown }`, or `{ title, about, link }`. */
export function readPages(root) {
  const named = new Set(groups.flatMap(({ pages }) => pages.map(({ file }) => file)))
  const others = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md') && !named.has(`docs/${name}`))
    .map((name) => ({ name: name.slice(0, -'.md'.length), file: `docs/${name}`, about: '' }))
  const all = others.length > 0 ? [...groups, { title: 'More', pages: others }] : groups
  return all.map(({ title, pages }) => ({
    title,
    pages: pages.map((page) => (page.file === undefined ? page : { ...page, ...readPage(root, page) })),
  }))
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
