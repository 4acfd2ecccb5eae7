import { createHash } from 'node:crypto'
import type { Category, Preferences } from '@peyk/contract'
import { type PreferenceTexts, pageTexts, pickText } from './preference-texts.ts'

const style = `
:root{color-scheme:light dark;--ink:#1d2026;--quiet:#5b626e;--ground:#f5f6f8;--sheet:#fff;--line:#d9dde3;--accent:#0b63ce}
@media (prefers-color-scheme:dark){:root{--ink:#e8eaee;--quiet:#a4acb8;--ground:#15171b;--sheet:#1f2228;--line:#3a3f48;--accent:#6aaeff}}
*{box-sizing:border-box}
body{margin:0;padding:24px 16px;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,"Segoe UI",Tahoma,sans-serif}
main{max-width:560px;margin:0 auto;background:var(--sheet);border:1px solid var(--line);border-radius:12px;padding:24px}
h1{font-size:22px;line-height:1.3;margin:0 0 8px}
p{margin:0 0 16px;color:var(--quiet)}
fieldset{border:0;margin:0;padding:0}
label{display:flex;gap:12px;padding:12px 0;border-top:1px solid var(--line);cursor:pointer}
input{width:22px;height:22px;margin:1px 0 0;flex:none;accent-color:var(--accent)}
small{display:block;color:var(--quiet);font-size:14px}
.of{padding-inline-start:34px}
button{margin-top:16px;padding:10px 22px;border:0;border-radius:8px;background:var(--accent);color:#fff;font:inherit;font-weight:600;cursor:pointer}
@media (prefers-color-scheme:dark){button{color:#0d1117}}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
[role=status]{border:1px solid var(--line);border-radius:8px;padding:10px 14px;color:var(--ink)}
`

/** Nothing is loaded, nothing runs, and the form goes to where it came from. */
export const preferencePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

interface Shown {
  appName: string
  categories: readonly Category[]
  preferences: Preferences
  languages: readonly string[]
  isSaved: boolean
}

export function drawPreferencePage({ appName, categories, preferences, languages, isSaved }: Shown): string {
  const { language, words } = pageTexts(languages)
  const lines = categories.map(({ id, name, description }) => {
    const about = description ? `<small dir="auto">${escapeHtml(pickText(description, languages))}</small>` : ''
    const isWanted = preferences.categories[id] ?? true
    return `<label class="of"><input type="checkbox" name="wanted" value="${escapeHtml(id)}"${isWanted ? ' checked' : ''}><span><span dir="auto">${escapeHtml(pickText(name, languages))}</span>${about}</span></label>`
  })
  const form = `<form method="post"><fieldset>
<label><input type="checkbox" name="all" value="true"${preferences.all ? ' checked' : ''}><span>${escapeHtml(words.all)}</span></label>
${lines.join('\n')}</fieldset><button type="submit">${escapeHtml(words.save)}</button></form>`
  const saved = isSaved ? `<p role="status">${escapeHtml(words.saved)}</p>` : ''
  const content =
    categories.length === 0 ? `<p>${escapeHtml(words.none)}</p>` : `<p>${escapeHtml(words.lead)}</p>${form}`
  return draw({ language, words, title: words.title(appName), content: saved + content })
}

/** For a link that leads nowhere. */
export function drawDeadLink(languages: readonly string[]): string {
  const { language, words } = pageTexts(languages)
  return draw({ language, words, title: words.gone, content: `<p>${escapeHtml(words.goneText)}</p>` })
}

function draw(page: { language: string; words: PreferenceTexts; title: string; content: string }): string {
  const { language, words, title, content } = page
  return `<!doctype html>
<html lang="${language}" dir="${words.dir}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${content}</main></body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
