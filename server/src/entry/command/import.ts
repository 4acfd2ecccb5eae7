import { access } from 'node:fs/promises'
import { readColumnMap } from '../../features/transfer/import/column-map.ts'
import { ImportFault } from '../../features/transfer/import/import-fault.ts'
import { importFile } from '../../features/transfer/import/import-file.ts'
import type { ImportCounts } from '../../features/transfer/import/import-place.ts'
import type { ImportFormat } from '../../features/transfer/import/read-lines.ts'
import { countOf } from './backup/progress-lines.ts'
import { type Command, CommandError, type CommandInput, UsageError } from './command.ts'
import { print } from './print.ts'
import { withApp } from './with-app.ts'

const everyMs = 1_000

export const command: Command = {
  arguments: [{ name: 'file', summary: 'a CSV file with a first line of names, or a JSON object per line (NDJSON)' }],
  options: {
    app: { value: 'label', summary: "the app's id", isRequired: true },
    format: { value: 'csv|ndjson', summary: 'what the file is (default: by its ending)' },
    map: {
      value: 'column=field',
      summary: 'what a column is; "column=" leaves it out',
      isRepeatable: true,
    },
    'device-type': {
      value: 'word=type',
      summary: 'what the file calls a device type, such as 1=android',
      isRepeatable: true,
    },
    'dry-run': { summary: 'only look at the lines, and store nothing' },
  },
  notes: `Fields: userId, tags, attributes, tags.<name>, attributes.<name>, installations, and of one device deviceType,
deviceToken, language, timeZone, installDate, clientVersion, osVersion, subscriptions. A file of
/api/exports/users needs no --map. Devices that are known, by id or token, stay as they are; nothing is sent.
What cannot be imported is listed in <file>.refused.ndjson. An import that was ended goes on when it is run again.`,
  examples: [
    'peyk import users.ndjson --app shop --dry-run',
    'peyk import users.csv --app shop',
    'peyk import onesignal.csv --app shop --map external_user_id=userId --map identifier=deviceToken --map device_type=deviceType --device-type 0=ios --device-type 1=android --map player_id=',
  ],

  async run(input) {
    const file = input.words[0] as string
    await access(file).catch(() => {
      throw new CommandError(`The file ${file} cannot be read.`)
    })
    const format = readFormat(input, file)
    const isDryRun = input.isOn('dry-run')
    try {
      const map = readColumnMap(input.texts('map'))
      const deviceTypes = new Map(input.texts('device-type').map(readPair))
      const onProgress = progressLine(isDryRun)
      const answer = await withApp(input.text('app') as string, (ctx) =>
        importFile(ctx, { file, format, map, deviceTypes, isDryRun, onProgress }),
      )
      if (answer.resumedAfter !== undefined)
        print(`Went on after line ${answer.resumedAfter} of an import that was ended.`)
      print(`${describe(answer, isDryRun)}.${isDryRun ? ' Nothing was stored.' : ''}`)
      if (answer.refused > 0) print(`What was refused, and why: ${answer.refusedFile}`)
      return answer.refused > 0 ? 1 : undefined
    } catch (error) {
      if (error instanceof ImportFault) throw new UsageError(error.message)
      throw error
    }
  },
}

function readFormat(input: CommandInput, file: string): ImportFormat {
  const format = input.text('format') ?? (/\.(ndjson|jsonl|json)$/i.test(file) ? 'ndjson' : 'csv')
  if (format === 'csv' || format === 'ndjson') return format
  throw new UsageError(`Expected --format csv or --format ndjson, got "${format}".`)
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
