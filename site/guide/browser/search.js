import { excerptOf, findSections, loadIndex } from './find.js'

const mostShown = 12

/** The search, in the page itself: its index is loaded when somebody searches. */
export function openSearch({ search: indexUrl, root }) {
  const dialog = document.getElementById('search')
  const input = dialog.querySelector('input')
  const list = document.getElementById('found')
  const count = document.getElementById('found-count')
  let loading
  let chosen = 0

  const load = () => {
    loading ??= fetch(indexUrl)
      .then((answer) => answer.text())
      .then(loadIndex)
    loading.catch(() => {
      loading = undefined
      count.textContent = 'The search could not be loaded.'
    })
    return loading
  }
  const open = () => {
    if (!dialog.open) dialog.showModal()
    input.select()
    load()
  }
  const choose = (index) => {
    const options = list.children
    options[chosen]?.setAttribute('aria-selected', 'false')
    chosen = Math.max(0, Math.min(index, options.length - 1))
    const option = options[chosen]
    if (!option) return input.removeAttribute('aria-activedescendant')
    option.setAttribute('aria-selected', 'true')
    option.scrollIntoView({ block: 'nearest' })
    input.setAttribute('aria-activedescendant', option.id)
  }
  const show = async () => {
    const asked = input.value.trim()
    const index = await load()
    if (asked !== input.value.trim()) return
    const found = asked === '' ? [] : findSections(index, asked).slice(0, mostShown)
    list.replaceChildren(...found.map((result, number) => drawResult(result, number, root)))
    count.textContent = asked === '' ? '' : found.length === 0 ? 'Nothing found.' : `${found.length} shown`
    choose(0)
  }

  document.getElementById('search-open').addEventListener('click', open)
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, [contenteditable]')
    const isAsked = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
    if (!isAsked) return
    event.preventDefault()
    open()
  })
  input.addEventListener('input', show)
  input.addEventListener('keydown', (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (steps) {
      event.preventDefault()
      choose(chosen + steps)
    }
    if (event.key === 'Enter') follow(list.children[chosen])
  })
  const follow = (option) => {
    if (!option) return
    dialog.close()
    location.href = option.dataset.href
  }
  list.addEventListener('click', (event) => follow(event.target.closest('li')))
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
}

function drawResult({ id, title, page, text, terms }, number, root) {
  const option = document.createElement('li')
  option.id = `found-${number}`
  option.role = 'option'
  option.dataset.href = root + id
  option.setAttribute('aria-selected', 'false')
  const head = document.createElement('strong')
  head.textContent = title === page ? title : `${page} › ${title}`
  const excerpt = document.createElement('span')
  excerpt.textContent = excerptOf(text, terms)
  option.append(head, excerpt)
  return option
}
