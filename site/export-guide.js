// npm run guide: the guide as static files, for any host and any path on it.
//   npm run guide -- [folder] [--reference https://push.example.com/docs/]
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildGuide } from './guide/build-guide.js'

const { values, positionals } = parseArgs({ options: { reference: { type: 'string' } }, allowPositionals: true })
const target = resolve(positionals[0] ?? 'guide')
rmSync(target, { recursive: true, force: true })
await buildGuide(target, { referenceUrl: values.reference })
process.stdout.write(`The guide is in ${target}.\n`)
