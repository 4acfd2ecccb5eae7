import { Accordion, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { NumberField } from '#parts/fields/NumberField.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { SpanInput } from '../fields/SpanInput.tsx'
import { useSending } from '../sending.ts'
import type { DraftTest } from './draft-test.ts'
import { EventField } from './EventField.tsx'
import { Split } from './Split.tsx'
import { WinnerFields } from './WinnerFields.tsx'

/** Who is compared, and by what. Closed, it says what of it is set. */
export function TestSettings() {
  const { variants: texts, send } = useTexts()
  const { draft, change, faultOf } = useSending()
  const format = useFormat()
  const [isOpen, setIsOpen] = useState<boolean>()
  const { test } = draft
  const set = (changes: Partial<DraftTest>) => change({ test: { ...test, ...changes } })
  const isFaulty = ['control', 'goal', 'winner', 'variants'].some((field) => faultOf(field) !== undefined)
  const isNamed = test.variants.some((_, place) => faultOf(`variants[${place}].name`) !== undefined)
  const isShown = (isOpen ?? test.isOn) || isFaulty || (test.isOn && isNamed)
  const control = test.control ?? 0
  const isCompared = test.isOn || control > 0
  const { winner, goal } = test
  const chosen = [
    ...(test.isOn ? test.variants.map(({ name, share }) => `${name} ${format.percent(share / 100)}`) : []),
    ...(control > 0 ? [texts.summary.control(format.percent(control / 100))] : []),
    ...(isCompared && goal.event !== '' ? [texts.summary.goal(goal.event)] : []),
    ...(test.isOn && winner.isOn ? [texts.summary.winner(format.percent((winner.testShare ?? 0) / 100))] : []),
  ]
  return (
    <Accordion
      variant="contained"
      order={3}
      value={isShown ? 'test' : null}
      onChange={(value) => setIsOpen(value !== null)}
    >
      <Accordion.Item value="test">
        <Accordion.Control>
          <Text size="sm">{test.isOn ? texts.settingsTest : texts.settings}</Text>
          {!isShown && chosen.length > 0 && (
            <Text size="xs" c="dimmed">
              {chosen.join(send.count.between)}
            </Text>
          )}
        </Accordion.Control>
        <Accordion.Panel>
          <Stack>
            {test.isOn && <Split />}
            <NumberField
              label={texts.control}
              description={texts.controlText}
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              min={0}
              max={90}
              maw={340}
              unit="%"
              value={test.control}
              onChange={(share) => set({ control: share })}
              error={faultOf('control')}
              data-field="control"
            />
            {isCompared && <GoalFields test={test} onChange={set} />}
            {test.isOn && <WinnerFields />}
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

function GoalFields({ test, onChange }: { test: DraftTest; onChange(changes: Partial<DraftTest>): void }) {
  const { variants: texts } = useTexts()
  const { faultOf } = useSending()
  const { goal, winner } = test
  const set = (changes: Partial<DraftTest['goal']>) => onChange({ goal: { ...goal, ...changes } })
  const deciding = test.isOn && winner.isOn && winner.by === 'event' ? winner.event.trim() : ''
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <EventField
        field="goal.event"
        label={texts.goal}
        hint={texts.goalText}
        placeholder={deciding === '' ? texts.noGoal : texts.goalOfWinner(deciding)}
        fault={faultOf('goal.within') === undefined ? faultOf('goal') : undefined}
        value={goal.event}
        onChange={(event) => set({ event })}
      />
      {goal.event !== '' && (
        <SpanInput
          field="goal.within"
          label={texts.within}
          hint={texts.withinText}
          value={goal.within}
          onChange={(within) => set({ within })}
        />
      )}
    </SimpleGrid>
  )
}
