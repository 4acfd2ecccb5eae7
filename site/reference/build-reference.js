import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packFiles, quickQuality } from '../../panel/built-folder.js'
import { Assets, fill } from '../look/assets.js'

const folder = dirname(fileURLToPath(import.meta.url))
const read = (name) => readFileSync(join(folder, name), 'utf8')

/** The page at /docs, which shows /openapi.json. The service fills in a nonce whenever it sends it. */
export async function buildReference(target) {
  const assets = new Assets(target)
  const { fontName, stylesName } = assets.addStyles('reference.css', join(folder, 'reference.css'))
  const page = fill(read('index.html'), {
    ICON: assets.addIcon(),
    FONT: fontName,
    STYLES: stylesName,
    THEME: assets.addTheme(),
    STYLENONCE: assets.add('style-nonce.js', read('style-nonce.js')),
    SCALAR: assets.add('scalar.js', await readScalar()),
    SCRIPT: assets.add('reference.js', read('reference.js')),
  })
  writeFileSync(join(target, 'index.html'), page)
  await packFiles(assets.folder, { quality: quickQuality })
}

/** Scalar for browsers in one file: its plugin for Fastify serves it, and depends on a fraction of what its own package does. */
async function readScalar() {
  const [{ fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  const app = fastify()
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { statusCode, body } = await app.inject('/docs/js/scalar.js')
  if (statusCode !== 200) throw new Error(`Scalar does not serve its script: ${statusCode}.`)
  return body.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n')
}
