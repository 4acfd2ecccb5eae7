import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import MiniSearch from 'minisearch'
import { build } from 'vite'
import { packFiles, quickQuality } from '../../panel/built-folder.js'
import { Assets } from '../look/assets.js'
import { searchOptions } from './browser/find.js'
import { drawHome, drawMoved, drawPage } from './draw-page.js'
import { imageSize } from './image-size.js'
import { moved } from './pages.js'
import { readPages, splitSections } from './read-pages.js'
import { renderPage } from './render-page.js'
import { slugOf } from './slugs.js'

const folder = dirname(fileURLToPath(import.meta.url))
const root = join(folder, '../..')

/**
 * The guide as static files. `referenceUrl` and `panelUrl` are where those are, if anywhere; `isPacked` adds each file
 * packed, for the service to send.
 */
export async function buildGuide(target, { referenceUrl, panelUrl, isPacked = false } = {}) {
  const assets = new Assets(target)
  const links = { reference: referenceUrl, panel: panelUrl }
  const { users, internals, decisions } = readPages(root)
  const pagesOf = (groups) => groups.flatMap((group) => group.pages).filter(({ name }) => name !== undefined)
  const parts = [
    { groups: users, pages: pagesOf(users), search: 'search.json' },
    { groups: internals, pages: [...pagesOf(internals), ...decisions], search: 'search-internals.json' },
  ]
  const places = new Places(
    parts.flatMap(({ pages }) => pages),
    assets,
  )

  const { fontName, stylesName } = assets.addStyles('guide.css', join(folder, 'browser/guide.css'))
  const names = {
    icon: assets.addIcon(),
    theme: assets.addTheme(),
    font: fontName,
    styles: stylesName,
    script: assets.add('guide.js', await bundle(join(folder, 'browser/guide.js'))),
  }
  const write = (name, html) => {
    mkdirSync(join(target, name), { recursive: true })
    writeFileSync(join(target, name, 'index.html'), html)
  }
  for (const { groups, pages, search } of parts) {
    const rendered = pages.map((page) => ({ ...page, ...renderPage(page, places.from(upFrom(page.name))) }))
    const own = { ...names, search: assets.add(search, JSON.stringify(searchIndex(rendered))) }
    const draw = (name, page) => write(name, drawPage({ name, groups, assets: own, up: upFrom(name), links, ...page }))
    for (const [index, { name, title, html, headings }] of rendered.entries()) {
      const [previous, next] = [rendered[index - 1], rendered[index + 1]]
      draw(name, { title, body: html, headings, previous, next })
    }
    if (groups !== users) continue
    draw('', { title: 'Peyk', body: homeBody(users, { places, links }), headings: [] })
    for (const folder of ['', 'internals/', 'internals/decisions/']) {
      const name = `${folder}not-found`
      const missing = `<h1>No such page</h1><p>The guide has no page here. <a href="${upFrom(name)}">All pages</a></p>`
      draw(name, { title: 'No such page', body: missing, headings: [] })
    }
  }
  const script = assets.add('moved.js', readFileSync(join(folder, 'browser/moved.js')))
  for (const [from, to] of Object.entries(moved)) write(from, drawMoved(to, { script, up: upFrom(from) }))
  if (isPacked) await packFiles(target, { quality: quickQuality })
}

/** The way from a page to the guide's root. */
function upFrom(name) {
  return name === '' ? './' : '../'.repeat(name.split('/').length)
}

function homeBody(groups, { places, links }) {
  const markdown = splitSections(readFileSync(join(root, 'README.md'), 'utf8')).get('')
  const { html } = renderPage({ markdown, file: 'README.md' }, places.from('./'))
  return drawHome({ introduction: html, groups, up: './', links })
}

/** Where the files of the repository are in the guide. */
class Places {
  constructor(pages, assets) {
    this.assets = assets
    // A page of some sections is where links to these lead.
    const placesOf = ({ file, name, sections }) =>
      sections?.map((section) => [`${file}#${slugOf(section)}`, name]) ?? [[file, name]]
    this.names = new Map(pages.flatMap(placesOf))
    this.images = new Map()
  }

  from(up) {
    return {
      linkTo: (path, anchor) => {
        const end = anchor === '' ? '' : `#${anchor}`
        const name = this.names.get(`${path}${end}`) ?? this.names.get(path)
        if (name === undefined && path === 'README.md') return up
        return name === undefined ? `${up}assets/${this.addText(path)}` : `${up}${name}/${end}`
      },
      imageAt: (path) => {
        const { name, ...size } = this.image(path)
        return { src: `${up}assets/${name}`, ...size }
      },
    }
  }

  /** A file that is no page, such as the licence, is there to be read as it is. */
  addText(path) {
    return this.assets.add(`${path.replaceAll(/[^\w.-]/g, '-')}.txt`, readFileSync(join(root, path)))
  }

  image(path) {
    const known = this.images.get(path)
    if (known) return known
    const content = readFileSync(join(root, path))
    const image = { name: this.assets.add(path.split('/').at(-1), content), ...imageSize(content) }
    this.images.set(path, image)
    return image
  }
}

function searchIndex(pages) {
  const index = new MiniSearch(searchOptions)
  for (const { name, title, sections } of pages) {
    for (const section of sections) {
      index.add({
        id: `${name}/${section.id && `#${section.id}`}`,
        title: section.title,
        page: title,
        text: section.text,
      })
    }
  }
  return index
}

async function bundle(entry) {
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      target: 'es2022',
      write: false,
      lib: { entry, formats: ['iife'], name: 'peykGuide', fileName: () => 'guide.js' },
    },
  })
  return output[0].code
}
