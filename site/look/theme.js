// The panel keeps its choice under this key, for the same origin.
const key = 'mantine-color-scheme-value'
const system = matchMedia('(prefers-color-scheme: dark)')

function chosen() {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function show() {
  const choice = chosen()
  const isDark = choice === 'dark' || (choice !== 'light' && system.matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}

window.peykTheme = {
  isDark: () => document.documentElement.dataset.theme === 'dark',
  choose(theme) {
    try {
      localStorage.setItem(key, theme)
    } catch {}
    document.documentElement.dataset.theme = theme
  },
}

show()
system.addEventListener('change', show)
addEventListener('storage', (event) => event.key === key && show())
