import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))

/** What pages load: files whose names change with their content, and can be kept for ever. */
export class Assets {
  constructor(target) {
    this.folder = join(target, 'assets')
    mkdirSync(this.folder, { recursive: true })
  }

  /** Answers the name that it has there. */
  add(name, content) {
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8)
    const ending = extname(name)
    const hashed = `${basename(name, ending)}-${hash}${ending}`
    writeFileSync(join(this.folder, hashed), content)
    return hashed
  }

  /** The colours and letters of the panel, and after them the styles of these pages. */
  addStyles(name, ...paths) {
    const font = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'))
    const fontName = this.add('inter.woff2', readFileSync(font))
    const styles = [join(folder, 'look.css'), ...paths].map((path) => readFileSync(path, 'utf8')).join('\n')
    return { fontName, stylesName: this.add(name, styles.replace('inter.woff2', fontName)) }
  }

  addIcon() {
    return this.add('icon.svg', readFileSync(join(folder, '../../panel/src/icon.svg')))
  }

  /** Before anything is drawn: light or dark, as it was chosen here or in the panel. */
  addTheme() {
    return this.add('theme.js', readFileSync(join(folder, 'theme.js')))
  }
}

/** A page with its places filled in; a place that nothing is given for is a mistake. */
export function fill(template, values) {
  return template.replaceAll(/__([A-Z]+)__/g, (place, name) => {
    if (name === 'NONCE') return place
    if (values[name] === undefined) throw new Error(`Nothing is given for ${place}.`)
    return values[name]
  })
}
