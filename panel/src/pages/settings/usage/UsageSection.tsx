import { Select, Stack, Text } from '@mantine/core'
import type { getUsage, Usage } from '@peyk/contract'
import { type ReactNode, useState } from 'react'
import { useAppQuery } from '#api/use-app-query.ts'
import { Answer } from '#parts/Answer.tsx'
import { Panel } from '#parts/Panel.tsx'
import { type Column, DataTable } from '#parts/tables/DataTable.tsx'
import { useFormat, useLanguage, useTexts } from '#texts/LanguageProvider.tsx'
import { lastMonths, monthName } from './months.ts'
import { QuotaBars } from './QuotaBars.tsx'
import classes from './UsageSection.module.css'

const everyMs = 15_000

/** What the app uses, and how much of its quotas is left. */
export function UsageSection() {
  const words = useTexts().settings.usage
  const { language } = useLanguage()
  const months = lastMonths(new Date())
  const [month, setMonth] = useState(months[0] as string)
  const usage = useAppQuery<typeof getUsage>('/usage', { month }, { refetchInterval: everyMs })
  return (
    <Answer of={usage}>
      {(found) => (
        <Stack gap="lg">
          <Panel
            title={words.title}
            lead={words.lead}
            actions={
              <Select
                aria-label={words.month}
                allowDeselect={false}
                data={months.map((value) => ({ value, label: monthName(value, language) }))}
                value={month}
                onChange={(value) => setMonth(value as string)}
                w={180}
              />
            }
          >
            <Figures usage={found} />
          </Panel>
          <Panel title={words.quotas} lead={found.quotas.length === 0 ? words.noQuotas : words.quotasLead}>
            {found.quotas.length > 0 && <QuotaBars quotas={found.quotas} />}
          </Panel>
          <Panel title={words.storage} lead={words.storageLead} flush>
            <StorageTable storage={found.storage} />
          </Panel>
          {found.days.length > 0 && (
            <Panel title={words.days} flush>
              <DayTable days={found.days} />
            </Panel>
          )}
        </Stack>
      )}
    </Answer>
  )
}

function Figures({ usage: { total, installations, providers } }: { usage: Usage }) {
  const { settings, overview } = useTexts()
  const words = settings.usage
  const format = useFormat()
  const byProvider = Object.entries(providers.deliveries).map(
    ([name, count]) => `${overview.providers[name] ?? name} ${format.number(count)}`,
  )
  return (
    <dl className={classes.figures}>
      <Figure label={words.messages} value={total.messages} />
      <Figure label={words.deliveries} value={total.deliveries} note={words.sent(format.number(total.sent))} />
      <Figure label={words.events} value={total.events} />
      <Figure label={words.sms} value={total.sms} />
      <Figure
        label={words.installations}
        value={installations}
        note={words.fresh(format.number(total.newInstallations))}
      />
      <Figure label={words.active} value={total.activeInstallations} />
      <Figure label={words.peak} value={total.peakConnections} />
      {byProvider.length > 0 && (
        <div>
          <dt>{words.providers}</dt>
          <dd>
            <small>{format.list(byProvider)}</small>
            <small>{words.counted(providers.counted, format.number(providers.counted))}</small>
          </dd>
        </div>
      )}
    </dl>
  )
}

function Figure({ label, value, note }: { label: string; value: number; note?: ReactNode }) {
  const format = useFormat()
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {format.number(value)}
        {note !== undefined && <small>{note}</small>}
      </dd>
    </div>
  )
}

type StoredName = keyof Usage['storage']

function StorageTable({ storage }: { storage: Usage['storage'] }) {
  const words = useTexts().settings.usage
  const format = useFormat()
  const columns: Column<StoredName>[] = [
    { key: 'what', label: words.what, cell: (name) => <Text size="sm">{words.stored[name]}</Text> },
    { key: 'rows', label: words.rows, isNumber: true, cell: (name) => format.number(storage[name].rows) },
    {
      key: 'bytes',
      label: words.bytes,
      isNumber: true,
      cell: (name) => {
        const { bytes } = storage[name]
        return bytes === undefined ? '–' : format.bytes(bytes)
      },
    },
  ]
  return (
    <DataTable
      label={words.storage}
      columns={columns}
      rows={Object.keys(storage) as StoredName[]}
      rowKey={(name) => name}
    />
  )
}

function DayTable({ days }: { days: Usage['days'] }) {
  const words = useTexts().settings.usage
  const format = useFormat()
  const count = (
    name: Exclude<keyof Usage['days'][number], 'day'>,
    label: string,
    isExtra = false,
  ): Column<Usage['days'][number]> => ({
    ...{ key: name, label, isNumber: true, isExtra },
    cell: (day) => format.number(day[name]),
  })
  return (
    <DataTable
      label={words.days}
      columns={[
        { key: 'day', label: words.day, cell: ({ day }) => format.day(day) },
        count('messages', words.messages),
        count('deliveries', words.deliveries),
        count('events', words.events),
        count('sms', words.sms, true),
        count('activeInstallations', words.active, true),
        count('peakConnections', words.peak, true),
      ]}
      rows={days.toReversed()}
      rowKey={({ day }) => day}
    />
  )
}
