import { NativeSelect, SimpleGrid, Stack, Switch } from '@mantine/core'
import { NumberField } from '#parts/fields/NumberField.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { SpanInput } from '../fields/SpanInput.tsx'
import { useSending } from '../sending.ts'
import { type DraftWinner, winnerChoices } from './draft-test.ts'
import { EventField } from './EventField.tsx'

const parts = ['by', 'after', 'testShare', 'otherwise']

/** Whether a part of the users is asked first, and what decides what the others get. */
export function WinnerFields() {
  const { variants: texts } = useTexts()
  const { draft, change, faultOf } = useSending()
  const { winner, variants } = draft.test
  const set = (changes: Partial<DraftWinner>) => change({ test: { ...draft.test, winner: { ...winner, ...changes } } })
  const isOfPart = parts.some((part) => faultOf(`winner.${part}`) !== undefined)
  return (
    <Stack gap="sm">
      <Switch
        label={texts.winner}
        description={texts.winnerText}
        checked={winner.isOn}
        onChange={(event) => set({ isOn: event.currentTarget.checked })}
        error={isOfPart ? undefined : faultOf('winner')}
        data-field="winner"
      />
      {winner.isOn && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NumberField
            label={texts.testShare}
            min={1}
            max={90}
            isWhole
            unit="%"
            value={winner.testShare}
            onChange={(testShare) => set({ testShare })}
            error={faultOf('winner.testShare')}
            data-field="winner.testShare"
          />
          <SpanInput
            field="winner.after"
            label={texts.after}
            hint={texts.afterText}
            value={winner.after}
            onChange={(after) => set({ after })}
          />
          <NativeSelect
            label={texts.by}
            value={winner.by}
            onChange={(event) => set({ by: event.currentTarget.value as DraftWinner['by'] })}
            data={winnerChoices.map((by) => ({ value: by, label: texts.byChoices[by] }))}
            error={winner.by === 'event' ? undefined : faultOf('winner.by')}
          />
          {winner.by === 'event' && (
            <EventField
              field="winner.by"
              label={texts.event}
              value={winner.event}
              onChange={(event) => set({ event })}
            />
          )}
          <NativeSelect
            label={texts.otherwise}
            value={String(winner.otherwise)}
            onChange={(event) => set({ otherwise: Number(event.currentTarget.value) })}
            data={variants.map(({ name }, place) => ({ value: String(place), label: name }))}
            error={faultOf('winner.otherwise')}
            data-field="winner.otherwise"
          />
        </SimpleGrid>
      )}
    </Stack>
  )
}
