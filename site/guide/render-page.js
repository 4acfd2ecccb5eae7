import { posix } from 'node:path'
import { Marked } from 'marked'
import { escapeHtml, highlight } from './highlight.js'
import { Slugs, slugOf } from './slugs.js'

/**
 * A page's Markdown as HTML, with its headings and its sections for the search. `linkTo(path, anchor)` and `imageAt(path)`
 * say where files of the repository are in the guide; paths are from its root.
 */
export function renderPage({ markdown, file }, { linkTo, imageAt }) {
  const slugs = new Slugs()
  const headings = []
  const resolve = (href) => posix.normalize(posix.join(posix.dirname(file), href))
  const isOutside = (href) => /^[a-z][a-z+.-]*:/i.test(href)

  const renderer = {
    heading({ tokens, depth }) {
      const html = this.parser.parseInline(tokens)
      const text = plain(html)
      const id = slugs.of(text)
      headings.push({ depth, id, text })
      const anchor = depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
      return `<h${depth} id="${id}">${html}${anchor}</h${depth}>\n`
    },
    link({ href, title, tokens }) {
      const html = this.parser.parseInline(tokens)
      const [path, anchor = ''] = href.split('#')
      const target = isOutside(href) || path === '' ? href : linkTo(resolve(path), anchor)
      const rel = isOutside(href) ? ' rel="noopener"' : ''
      return `<a href="${escapeHtml(target)}"${title ? ` title="${escapeHtml(title)}"` : ''}${rel}>${html}</a>`
    },
    image({ href, text }) {
      const { src, width, height } = imageAt(resolve(href))
      return `<img src="${escapeHtml(src)}" alt="${escapeHtml(text)}" width="${width}" height="${height}" loading="lazy">`
    },
    code({ text, lang }) {
      const { html, language } = highlight(text, lang)
      return `<div class="code"><pre tabindex="0"><code class="language-${language}">${html}</code></pre></div>\n`
    },
    table({ header, rows }) {
      const names = header.map(({ tokens }) => plain(this.parser.parseInline(tokens)))
      const draw = (row) => row.map((cell, index) => drawCell(this.parser.parseInline(cell.tokens), names[index]))
      const hasHead = names.some((name) => name !== '')
      const head = hasHead ? `<thead role="rowgroup"><tr role="row">${names.map(drawHead).join('')}</tr></thead>` : ''
      const body = rows.map((row) => `<tr role="row"${rowId(row, slugs)}>${draw(row).join('')}</tr>`).join('\n')
      return `<div class="table"><table role="table">${head}<tbody role="rowgroup">${body}</tbody></table></div>\n`
    },
  }
  const html = new Marked({ renderer }).parse(markdown)
  return { html, headings, sections: sectionsOf(html, headings) }
}

const drawHead = (name) => `<th role="columnheader" scope="col">${escapeHtml(name)}</th>`

/** On a narrow screen a row is a block, whose cells have their names before them: so they keep their roles. */
function drawCell(html, name) {
  return `<td role="cell"${name ? ` data-name="${escapeHtml(name)}"` : ''}>${html}</td>`
}

/** A row that is about one code, setting or limit can be linked to by its name. */
function rowId([first], slugs) {
  const [, name] = /^`([^`]+)`$/.exec(first?.text ?? '') ?? []
  return name === undefined || slugs.has(slugOf(name)) ? '' : ` id="${slugs.of(name)}"`
}

/** What the search finds: the text under each heading. */
function sectionsOf(html, headings) {
  const parts = html.split(/<h[1-6] id="[^"]*">.*<\/h[1-6]>/)
  return headings.map(({ id, text, depth }, index) => ({
    id: depth === 1 ? '' : id,
    title: text,
    text: plain(parts[index + 1] ?? ''),
  }))
}

function plain(html) {
  const signs = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" }
  return html
    .replaceAll(/<\/(p|td|th|li|pre|h\d)>/g, ' ')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39|#x27);/g, (_, name) => signs[name])
    .replaceAll(/\s+/g, ' ')
    .trim()
}
