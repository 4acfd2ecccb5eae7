import type { Usage } from '@peyk/contract'
import { formatTable } from '../print.ts'

/** What one app uses: its month, its quotas, where it goes, what is stored, and its days. */
export function describeUsage(label: string, usage: Usage): string {
  const { month, total, installations, quotas, providers, storage, days } = usage
  const deliveries = Object.entries(providers.deliveries)
  return [
    `${label} in ${month} (UTC)`,
    '',
    ...pairs([
      ['messages accepted', count(total.messages)],
      ['deliveries', count(total.deliveries)],
      ['  sent', count(total.sent)],
      ...deliveries.map(([provider, sent]): [string, string] => [
        `  by ${provider}`,
        `${count(sent)} (${providers.counted} ${providers.counted === 1 ? 'day' : 'days'} counted)`,
      ]),
      ['SMS', count(total.sms)],
      ['events', count(total.events)],
      ['installations', `${count(installations)} (${count(total.newInstallations)} new)`],
      ['  active', count(total.activeInstallations)],
      ['connections at peak', count(total.peakConnections)],
    ]),
    '',
    ...describeQuotas(label, quotas),
    '',
    formatTable(
      ['STORED NOW', 'ROWS', 'ABOUT'],
      Object.entries(storage).map(([name, { rows, bytes }]) => [name, count(rows), formatBytes(bytes)]),
    ),
    ...(days.length > 0
      ? [
          '',
          formatTable(
            ['DAY', 'MESSAGES', 'DELIVERIES', 'SENT', 'SMS', 'EVENTS', 'ACTIVE', 'PEAK'],
            days.map((day) => [
              day.day,
              ...[day.messages, day.deliveries, day.sent, day.sms, day.events].map(count),
              ...[day.activeInstallations, day.peakConnections].map(count),
            ]),
          ),
        ]
      : []),
  ].join('\n')
}

export function describeQuotas(label: string, quotas: Usage['quotas']): string[] {
  if (quotas.length === 0) return [`No quotas. Set them with peyk app quota ${label}.`]
  const lines = quotas.map(({ quota, limit, used, left, resetsAt }) => [
    quota === 'installations' ? quota : `${quota} a month`,
    count(limit),
    `${count(used)} (${limit === 0 ? 100 : Math.floor((used / limit) * 100)} %)`,
    count(left),
    resetsAt === undefined ? '' : new Date(resetsAt).toISOString().slice(0, 10),
  ])
  return formatTable(['QUOTA', 'LIMIT', 'USED', 'LEFT', 'BEGINS ANEW'], lines).split('\n')
}

/** A line for each app. */
export function describeAllUsage(apps: readonly { label: string; usage: Usage }[]): string {
  return formatTable(
    ['APP', 'MESSAGES', 'DELIVERIES', 'SENT', 'SMS', 'EVENTS', 'INSTALLATIONS', 'ACTIVE', 'PEAK', 'STORED', 'QUOTAS'],
    apps.map(({ label, usage: { total, installations, storage, quotas } }) => [
      label,
      ...[total.messages, total.deliveries, total.sent, total.sms, total.events, installations].map(count),
      ...[total.activeInstallations, total.peakConnections].map(count),
      formatBytes(Object.values(storage).reduce((sum, { bytes = 0 }) => sum + bytes, 0)),
      quotas
        .map(({ quota, limit, used }) => `${quota} ${limit === 0 ? 100 : Math.floor((used / limit) * 100)} %`)
        .join(', '),
    ]),
  )
}

function pairs(lines: readonly [string, string][]): string[] {
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)
}

function count(number: number): string {
  return number.toLocaleString('en')
}

function formatBytes(bytes: number | undefined): string {
  if (bytes === undefined) return 'not known yet'
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}
