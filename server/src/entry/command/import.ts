import { access } from 'node:fs/promises'
import { readColumnMap } from '#features/transfer/import/column-map.ts'
import { ImportFault } from '#features/transfer/import/import-fault.ts'
import { importFile } from '#features/transfer/import/import-file.ts'
import type { ImportCounts } from '#features/transfer/import/import-place.ts'
import { importSources } from '#features/transfer/import/onesignal.ts'
import type { ImportFormat } from '#features/transfer/import/read-lines.ts'
import { countOf } from './backup/progress-lines.ts'
import { type Command, CommandError, type CommandInput, UsageError } from './command.ts'
import { print } from './print.ts'
import { withApp } from './with-app.ts'

const everyMs = 1_000

export const command: Command = {
  arguments: [
    {
      name: 'file',
      summary: 'a CSV file with a first line of names, or a JSON object per line (NDJSON), also compressed with gzip',
    },
  ],
  options: {
    app: { value: 'label', summary: "the app's id", isRequired: true },
    format: { value: 'csv|ndjson', summary: 'what the file is (default: by its ending)' },
    from: {
      value: 'onesignal',
      summary: 'the service that the export comes from; its columns and device types need no options',
    },
    map: {
      value: 'column=field',
      summary: 'the field of a column; "column=" leaves it out',
      isRepeatable: true,
    },
    'device-type': {
      value: 'word=type',
      summary: 'what the file calls a device type, such as 1=android; other values are refused then',
      isRepeatable: true,
    },
    'ignore-rest': { summary: 'leave out all columns that match no field' },
    'dry-run': { summary: 'only look at the lines, and store nothing' },
  },
  notes: `Fields: userId, tags, attributes, tags.<name>, attributes.<name>, installations, and of one device deviceType,
deviceToken, webAuth, webP256dh, tokenStatus, optedOut, language, timeZone, utcOffset, installDate, launchTime,
launchCount, clientVersion, osVersion, deviceModel, subscriptions. A file of /api/exports/users needs no --map.
A line without userId makes a guest. Known devices, by id or token, keep their state; nothing is sent.
Refused lines are listed in <file>.refused.ndjson. An interrupted import continues when it is run again.`,
  examples: [
    'peyk import users.ndjson --app shop --dry-run',
    'peyk import users.csv --app shop',
    'peyk import onesignal.csv --app shop --from onesignal --dry-run',
    'peyk import devices.csv --app shop --map id=userId --map token=deviceToken --map os=deviceType --device-type iPhone=ios --ignore-rest',
  ],

  async run(input) {
    const file = input.words[0] as string
    await access(file).catch(() => {
      throw new CommandError(`The file ${file} cannot be read.`)
    })
    const format = readFormat(input, file)
    const isDryRun = input.isOn('dry-run')
    const ignoresRest = input.isOn('ignore-rest')
    const from = readSource(input.text('from'))
    try {
      const map = readColumnMap(input.texts('map'))
      const deviceTypes = new Map(input.texts('device-type').map(readPair))
      const onProgress = progressLine(isDryRun)
      const answer = await withApp(input.text('app') as string, (ctx) =>
        importFile(ctx, { file, format, ...(from && { from }), map, deviceTypes, ignoresRest, isDryRun, onProgress }),
      )
      if (answer.resumedAfter !== undefined)
        print(`Continued after line ${answer.resumedAfter} of an interrupted import.`)
      print(`${describe(answer, isDryRun)}.${isDryRun ? ' Nothing was stored.' : ''}`)
      if (answer.refused > 0) print(`Refused lines and reasons: ${answer.refusedFile}`)
      return answer.refused > 0 ? 1 : undefined
    } catch (error) {
      if (error instanceof ImportFault) throw new UsageError(error.message)
      throw error
    }
  },
}

function readFormat(input: CommandInput, file: string): ImportFormat {
  const format = input.text('format') ?? (/\.(ndjson|jsonl|json)(\.gz)?$/i.test(file) ? 'ndjson' : 'csv')
  if (format === 'csv' || format === 'ndjson') return format
  throw new UsageError(`Expected --format csv or --format ndjson, got "${format}".`)
}

function readSource(name: string | undefined) {
  const source = name === undefined ? undefined : importSources.get(name.toLowerCase())
  if (name !== undefined && !source)
    throw new UsageError(`Expected --from ${[...importSources.keys()].join(' or --from ')}, got "${name}".`)
  return source
}

function readPair(text: string): [string, string] {
  const [word, type, ...more] = text.split('=')
  if (!word || !type || more.length > 0) throw new UsageError(`--device-type: expected word=type, got "${text}".`)
  return [word, type]
}

function progressLine(isDryRun: boolean): (counts: ImportCounts) => void {
  let saidAtMs = performance.now()
  return (counts) => {
    if (performance.now() - saidAtMs < everyMs) return
    saidAtMs = performance.now()
    print(`  ${describe(counts, isDryRun)} so far`)
  }
}

function describe({ lines, imported, devices, guests, refused }: ImportCounts, isDryRun: boolean): string {
  const done = isDryRun
    ? `good, with ${countOf(devices, 'device')}`
    : `imported, with ${countOf(devices, 'new device')}`
  const left = guests > 0 ? `, ${countOf(guests, 'guest')} left out` : ''
  return `${countOf(lines, 'line')}: ${imported.toLocaleString('en')} ${done}${left}, ${refused.toLocaleString('en')} refused`
}
