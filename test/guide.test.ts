import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { guidePlaces } from '../panel/src/parts/docs-places.ts'

const root = join(import.meta.dirname, '..')
const load = (path: string) => import(join(root, 'site', path))
const { buildSite } = await load('build.js')
const { renderPage } = await load('guide/render-page.js')
const { listDocuments } = await load('guide/read-pages.js')
const { moved } = await load('guide/pages.js')
const { Slugs } = await load('guide/slugs.js')
const { excerptOf, findSections, loadIndex } = await load('guide/browser/find.js')

await buildSite()
const target = join(root, 'site/dist/guide')
const pages = readdirSync(target, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'))
const documents: string[] = listDocuments(root)
const read = (page: string) => readFileSync(join(target, page), 'utf8')

describe('the guide', () => {
  it('has a page for every document', () => {
    const titles = documents.map((file) => /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1] as string)
    const headings = new Set(pages.map((page) => /<h1[^>]*>(.*?)<\/h1>/.exec(read(page))?.[1]))
    for (const title of titles)
      expect(headings).toContain(renderPage({ markdown: title, file: '' }, {}).html.slice(3, -5))
  })

  it('links only to places that are there', () => {
    const missing: string[] = []
    for (const page of pages) {
      for (const [, href] of read(page).matchAll(/\s(?:href|src|data-search)="([^"]*)"/g)) {
        if (/^[a-z]+:|^\/(docs|panel)\/$/.test(href as string)) continue
        const [path, anchor] = (href as string).split('#') as [string, string?]
        const place = path === '' ? join(target, page) : resolve(target, dirname(page), path)
        const file = path === '' || !/(^|\/)\.{0,2}$/.test(path) ? place : join(place, 'index.html')
        if (!existsSync(file)) missing.push(`${page} → ${href}`)
        else if (anchor && !readFileSync(file, 'utf8').includes(` id="${anchor}"`)) missing.push(`${page} → ${href}`)
      }
    }
    expect(missing).toEqual([])
  })

  it('is found at every address that it ever had', () => {
    const addresses =
      'architecture campaigns changelog choices client comparison concepts contributing data demo errors faq getting-started migration operations panel performance providers reliability running scaling security security-policy upgrading webhooks'
    for (const name of addresses.split(' ')) {
      const html = read(`${name}/index.html`)
      const [, to] = / data-to="([^"]+)"/.exec(html) ?? []
      expect(to !== undefined).toBe(name in moved)
      if (to) expect(existsSync(join(target, name, to, 'index.html'))).toBe(true)
      if (to) expect(html).toContain(`<noscript><meta http-equiv="refresh" content="0; url=${to}">`)
    }
  })

  it('has what the panel leads to', () => {
    for (const place of Object.values(guidePlaces)) {
      const [path, anchor] = place.split('#')
      const html = read(`${path}index.html`)
      if (anchor !== undefined) expect(html).toContain(` id="${anchor}"`)
    }
  })

  it('loads nothing from elsewhere, and nothing inline', () => {
    for (const page of pages) {
      const html = read(page)
      expect(html).not.toMatch(
        /<(?:script|img|source|iframe)[^>]* src="(?:https?:)?\/\/|<link[^>]*href="(?:https?:)?\/\//,
      )
      expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+="|\sstyle="/)
    }
    const styles = readdirSync(join(target, 'assets')).filter((name) => name.endsWith('.css'))
    for (const name of styles) expect(readFileSync(join(target, 'assets', name), 'utf8')).not.toMatch(/https?:|@import/)
  })
})

const places = { linkTo: (path: string, anchor: string) => `to:${path}#${anchor}`, imageAt: () => ({}) }
const render = (markdown: string) => renderPage({ markdown, file: 'docs/guides/a.md' }, places)

describe('a page', () => {
  it('has the anchors that code hosts make', () => {
    const slugs = new Slugs()
    const of = (text: string) => slugs.of(text)
    expect(['At each user’s time', 'How fast: `throttle`', 'A_b c-d', 'A_b c-d'].map(of)).toEqual([
      'at-each-users-time',
      'how-fast-throttle',
      'a_b-c-d',
      'a_b-c-d-1',
    ])
  })

  it('has an anchor for each row that is about one name', () => {
    const { html } = render('| code | means |\n|---|---|\n| `no-token` | a |\n| `a` and `b` | c |')
    expect(html).toContain('<tr role="row" id="no-token">')
    expect(html.match(/ id=/g)).toHaveLength(1)
  })

  it('resolves links from where its file is', () => {
    const { html } = render('[a](b.md#c) [d](../../SECURITY.md) [e](#f) [g](https://h.example)')
    expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      'to:docs/guides/b.md#c',
      'to:SECURITY.md#',
      '#f',
      'https://h.example',
    ])
  })

  it('is found by the text under each of its headings', () => {
    const { sections } = render('# A\n\nOne `two`\n\n## B & C\n\n- three\n')
    expect(sections).toEqual([
      { id: '', title: 'A', text: 'One two' },
      { id: 'b--c', title: 'B & C', text: 'three' },
    ])
  })
})

describe('the search', () => {
  const indexOf = (page: string) => {
    const [, file] = / data-search="([^"]+)"/.exec(read(page)) as unknown as [string, string]
    return readFileSync(join(target, dirname(page), file), 'utf8')
  }
  const index = loadIndex(indexOf('index.html'))
  const placesOf = (asked: string) => findSections(index, asked).map(({ id }: { id: string }) => id)

  it('finds what has the words before what has others like them', () => {
    // "ours" in a title is no hours.
    expect(placesOf('quiet hours')[0]).toMatch(/^campaigns\/#categories/)
  })

  it('of users finds nothing for maintainers, whose pages have a search of their own', () => {
    const idsIn = (page: string): string[] => Object.values(JSON.parse(indexOf(page)).documentIds)
    expect(idsIn('index.html').filter((id) => id.startsWith('internals'))).toEqual([])
    expect(idsIn('internals/decisions/index.html').every((id) => id.startsWith('internals'))).toBe(true)
  })

  it('finds words that are not spelt right, where none has them as they are', () => {
    expect(placesOf('webhoks')).toContain('webhooks/')
  })

  it('shows the words around the first that was found, from the start of one', () => {
    const text = `${'before '.repeat(20)}quiet hours ${'after '.repeat(40)}`
    const excerpt = excerptOf(text, ['quiet', 'hours'])
    expect(excerpt).toMatch(/^… before .*quiet hours after.* after …$/)
    expect(excerpt.length).toBeLessThan(150)
    expect(excerptOf('quiet hours', ['hours'])).toBe('quiet hours')
  })

  it('shows code as it is written', () => {
    const { sections } = render('# A\n\n```sh\ncurl -d \'{ "a": "<b>" }\'\n```\n')
    expect(sections[0].text).toBe(`curl -d '{ "a": "<b>" }'`)
  })
})
