import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

const languages = { bash, javascript, json, kotlin, php, python, sql, swift, xml, yaml }
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)

const shellWords =
  /^(#|\$|[A-Z_]+=|curl|npm|npx|node|git|cp|mkdir|openssl|docker|helm|kubectl|psql|systemctl|peyk)\b|^#/

/** Code as HTML with its parts marked. Code whose language is not named is shell or JSON when it looks like that. */
export function highlight(code, named) {
  const language = named || guessLanguage(code)
  if (!hljs.getLanguage(language)) return { html: escapeHtml(code), language: 'text' }
  return { html: hljs.highlight(code, { language }).value, language }
}

export function guessLanguage(code) {
  if (/^\s*[[{]/.test(code)) return 'json'
  return code.split('\n').some((line) => shellWords.test(line)) ? 'bash' : 'text'
}

export function escapeHtml(text) {
  const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replaceAll(/[&<>"]/g, (sign) => signs[sign])
}
