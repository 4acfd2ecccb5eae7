import { openSearch } from './search.js'

const theme = document.getElementById('theme')
const showTheme = () => theme.setAttribute('aria-pressed', String(window.peykTheme.isDark()))
theme.addEventListener('click', () => {
  window.peykTheme.choose(window.peykTheme.isDark() ? 'light' : 'dark')
  showTheme()
})
showTheme()

const menu = document.getElementById('menu')
const navigation = document.getElementById('navigation')
const showMenu = (isOpen) => {
  menu.setAttribute('aria-expanded', String(isOpen))
  navigation.classList.toggle('open', isOpen)
}
menu.addEventListener('click', () => showMenu(menu.getAttribute('aria-expanded') !== 'true'))
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || menu.getAttribute('aria-expanded') !== 'true') return
  showMenu(false)
  menu.focus()
})
navigation.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })

if (navigator.clipboard) {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent)
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 1500)
    })
    block.append(button)
  }
}

openSearch(document.currentScript.dataset)
