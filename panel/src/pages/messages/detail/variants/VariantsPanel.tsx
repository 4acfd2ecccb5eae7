import { Group, Stack, Text } from '@mantine/core'
import type { MessageDetail } from '@peyk/contract'
import { useApp } from '#api/use-app.ts'
import { inVariant, type TestedTexts } from '#parts/notification-preview/in-variant.ts'
import { drawnNotification } from '#parts/notification-preview/shown-notification.ts'
import { Panel } from '#parts/Panel.tsx'
import { type Column, DataTable } from '#parts/tables/DataTable.tsx'
import { nameVariables } from '#parts/template-text/split-template.ts'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { RateBar } from './RateBar.tsx'
import {
  findBest,
  type Hold,
  isPlain,
  type Results,
  sayAnswer,
  saySpan,
  sayWinner,
  type VariantResult,
} from './say-results.ts'
import { Notes, VariantLine } from './VariantLine.tsx'
import classes from './VariantsPanel.module.css'

/** Of a message that is a test: which variant does best, and what the message changes at all. */
export function VariantsPanel({ message }: { message: MessageDetail }) {
  const { results: texts } = useTexts().variants
  const format = useFormat()
  const { test } = message
  if (!test) return null
  return (
    <Panel title={sayAnswer(test, texts, format)} lead={<Lead results={test} message={message} />}>
      <Compared results={test} message={message} />
    </Panel>
  )
}

function holdOf({ progress }: MessageDetail): Hold {
  if (progress.paused) return 'paused'
  return progress.stopped ? 'stopped' : undefined
}

function Lead({ results, message }: { results: Results; message: MessageDetail }) {
  const { results: texts } = useTexts().variants
  const format = useFormat()
  const state = sayWinner(results, { hold: holdOf(message), now: message.at }, texts, format)
  const { goal, winner } = results
  const others = winner?.others
  return (
    <>
      {state !== undefined && <div data-winner={winner?.state}>{state}</div>}
      {others && others.handedOver > 0 && (
        <div>{texts.others(format.number(others.handedOver), format.percent(others.opened / others.handedOver))}</div>
      )}
      <div>{texts.users}</div>
      {results.countedAt < message.at && <div>{texts.countedAt(format.time(results.countedAt))}</div>}
      {goal && <div>{texts.goal(goal.event, saySpan(goal.within, format))}</div>}
    </>
  )
}

function Compared({ results, message }: { results: Results; message: MessageDetail }) {
  const { results: texts } = useTexts().variants
  const { name: appName } = useApp()
  const { variants, control, by, goal } = results
  const isOfGoal = goal !== undefined && by === `event:${goal.event}`
  const controlRate = isOfGoal ? control?.goal : undefined
  const highest = Math.max(
    ...[...variants.map(({ rate }) => rate), ...(controlRate ? [controlRate] : [])].map(({ to }) => to),
  )
  const whole = Math.max(0.01, Math.min(1, highest * 1.1))
  const best = findBest(results)
  const saidBy = (name: string) => {
    const { title, body } = drawnNotification(inVariant(message as TestedTexts, name, undefined), { name: appName })
    return nameVariables([title, body].filter((text) => text !== '').join(' — '))
  }
  return (
    <Stack gap="lg">
      <Stack gap="lg" component="ul" className={classes.list}>
        {variants.map((variant) => (
          <VariantLine
            key={variant.name}
            results={results}
            variant={variant}
            name={isPlain(results) ? texts.everybody : variant.name}
            said={isPlain(results) ? undefined : saidBy(variant.name)}
            whole={whole}
            isBest={best?.name === variant.name}
          />
        ))}
        {control && <Control control={control} whole={whole} isDrawn={isOfGoal} />}
      </Stack>
      <Numbers results={results} />
    </Stack>
  )
}

interface ControlProps {
  control: NonNullable<Results['control']>
  whole: number
  /** The rates above are of the goal, too. */
  isDrawn: boolean
}

function Control({ control, whole, isDrawn }: ControlProps) {
  const { results: texts } = useTexts().variants
  const format = useFormat()
  const { goal } = control
  const rate = goal && format.percent(goal.rate)
  const interval = goal && texts.interval(format.percent(goal.from), format.percent(goal.to))
  return (
    <Stack gap={6} component="li" data-tested="control">
      <Group justify="space-between" gap="xs" align="baseline">
        <Text fw={650}>{texts.control}</Text>
        {isDrawn && (
          <Group gap={8} align="baseline">
            <Text fw={650}>{rate}</Text>
            <Text size="xs" c="dimmed">
              {interval}
            </Text>
          </Group>
        )}
      </Group>
      {isDrawn && goal && (
        <RateBar
          rate={goal}
          whole={whole}
          isBest={false}
          label={texts.intervalLabel(format.percent(goal.rate), format.percent(goal.from), format.percent(goal.to))}
        />
      )}
      <Notes
        notes={[
          texts.controlText(format.number(control.assigned)),
          ...(goal
            ? [texts.goalRate(format.percent(goal.rate), format.number(goal.reached), format.number(goal.of))]
            : []),
        ]}
      />
    </Stack>
  )
}

const counted = ['assigned', 'handedOver', 'shown', 'opened', 'acted', 'dismissed'] as const

type Row = { name: string; label: string } & Partial<Pick<VariantResult, (typeof counted)[number]>>

function sumOf(variants: readonly VariantResult[]): Omit<Row, 'name' | 'label'> {
  return Object.fromEntries(counted.map((key) => [key, variants.reduce((sum, variant) => sum + variant[key], 0)]))
}

function Numbers({ results }: { results: Results }) {
  const { variants, control } = results
  const { results: texts } = useTexts().variants
  const format = useFormat()
  const rows: Row[] = variants.map((variant) => ({
    ...variant,
    label: isPlain(results) ? texts.everybody : variant.name,
  }))
  if (rows.length > 1) rows.push({ ...sumOf(variants), name: 'all', label: texts.total })
  if (control) rows.push({ name: 'control', label: texts.control, assigned: control.assigned })
  const columns: Column<Row>[] = [
    {
      key: 'variant',
      label: <span className={classes.name}>{texts.columns.variant}</span>,
      cell: ({ label }) => <bdi className={classes.name}>{label}</bdi>,
    },
    ...counted.map(
      (key): Column<Row> => ({
        key,
        label: texts.columns[key],
        isNumber: true,
        cell: ({ [key]: count }) => (count === undefined ? '—' : format.number(count)),
      }),
    ),
  ]
  return <DataTable label={texts.numbers} columns={columns} rows={rows} rowKey={({ name }) => name} />
}
