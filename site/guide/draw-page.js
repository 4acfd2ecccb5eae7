import { escapeHtml } from './highlight.js'

/**
 * A whole page. All its addresses are relative, from `up` (the way to the guide's root): the guide works at any address.
 * `assets` has the names of what pages load.
 */
export function drawPage({ name, title, body, headings, groups, assets, up, links, previous, next }) {
  const description =
    'Peyk: push messages, segments, events and promo codes for the users of your app, on your own server.'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<title>${name === '' ? 'Peyk: the guide' : `${escapeHtml(title)} · Peyk`}</title>
<link rel="icon" href="${up}assets/${assets.icon}" type="image/svg+xml">
<link rel="preload" href="${up}assets/${assets.font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${up}assets/${assets.styles}">
<script src="${up}assets/${assets.theme}"></script>
<script src="${up}assets/${assets.script}" data-search="${up}assets/${assets.search}" data-root="${up}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<button type="button" id="menu" aria-controls="navigation" aria-expanded="false" aria-label="Pages"><svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M3 5h14M3 10h14M3 15h14" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg></button>
<a class="home" href="${up}"><img src="${up}assets/${assets.icon}" alt="" width="26" height="26">Peyk <span>guide</span></a>
<button type="button" id="search-open" aria-label="Search"><svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true"><circle cx="9" cy="9" r="5.5" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="m13.5 13.5 4 4" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg><span>Search</span><kbd>/</kbd></button>
<nav aria-label="Other pages">${drawLinks(links)}</nav>
<button type="button" id="theme" aria-label="Dark appearance" aria-pressed="false"><svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><path d="M16 11.6A6.6 6.6 0 0 1 8.4 4a6.6 6.6 0 1 0 7.6 7.6Z" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round"/></svg></button>
</header>
<div class="columns">
<nav id="navigation" aria-label="Pages of the guide">${drawNavigation(groups, { name, up, links })}</nav>
<main id="content" tabindex="-1">
<article>
${body}
</article>
${drawNeighbours(previous, next, up)}
</main>
${drawContents(headings)}
</div>
<dialog id="search" aria-label="Search the guide">
<input type="search" role="combobox" aria-expanded="true" aria-controls="found" aria-autocomplete="list" aria-label="Search the guide" placeholder="Search the guide" autocomplete="off" spellcheck="false">
<ul id="found" role="listbox" aria-label="Results"></ul>
<p id="found-count" role="status"></p>
</dialog>
</body>
</html>
`
}

/** In place of a page that has another address now. The script keeps the section. */
export function drawMoved(to, { script, up }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Moved · Peyk</title>
<link rel="canonical" href="${up}${to}/">
<script src="${up}assets/${script}" data-to="${up}${to}/"></script>
<noscript><meta http-equiv="refresh" content="0; url=${up}${to}/"></noscript>
</head>
<body><h1>Moved</h1><p>This page is now <a href="${up}${to}/">here</a>.</p></body>
</html>
`
}

/** The first page: what Peyk is, and where everything stands. */
export function drawHome({ introduction, groups, up, links }) {
  const cards = groups
    .map(({ title, pages }) => {
      const items = pages.flatMap((page) => {
        const href = hrefOf(page, { up, links })
        return href === undefined
          ? []
          : `<li><a href="${href}">${escapeHtml(page.title)}</a> <span>${escapeHtml(page.about)}</span></li>`
      })
      return `<section><h2>${escapeHtml(title)}</h2><ul>${items.join('')}</ul></section>`
    })
    .join('\n')
  return `${introduction}\n<div class="cards">${cards}</div>`
}

function drawLinks({ reference, panel }) {
  const found = [
    ['API reference', reference],
    ['Panel', panel],
  ].filter(([, href]) => href !== undefined)
  return found.map(([text, href]) => `<a href="${escapeHtml(href)}">${text}</a>`).join('')
}

function drawNavigation(groups, { name, up, links }) {
  return groups
    .map(({ title, pages }) => {
      const items = pages.flatMap((page) => {
        const href = hrefOf(page, { up, links })
        const current = page.name === name ? ' aria-current="page"' : ''
        return href === undefined ? [] : `<li><a href="${href}"${current}>${escapeHtml(page.title)}</a></li>`
      })
      return items.length === 0
        ? ''
        : `<h2 class="group">${escapeHtml(title)}</h2><ul class="places">${items.join('')}</ul>`
    })
    .join('\n')
}

function hrefOf({ name, link }, { up, links }) {
  if (name !== undefined) return `${up}${name}/`
  return link === 'reference' ? links.reference : `${up}${link}`
}

function drawContents(headings) {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3)
  if (shown.length < 2) return ''
  const items = shown.map(
    ({ depth, id, text }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  )
  return `<nav id="contents" aria-label="On this page"><h2 class="group">On this page</h2><ul class="places">${items.join('')}</ul></nav>`
}

function drawNeighbours(previous, next, up) {
  const draw = (page, rel, word) =>
    page ? `<a rel="${rel}" href="${up}${page.name}/"><span>${word}</span>${escapeHtml(page.title)}</a>` : ''
  const drawn = draw(previous, 'prev', 'Before') + draw(next, 'next', 'Next')
  return drawn === '' ? '' : `<nav class="neighbours" aria-label="Pages before and after">${drawn}</nav>`
}
