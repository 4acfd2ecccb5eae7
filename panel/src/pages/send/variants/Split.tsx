import { ActionIcon, Button, Group, Slider, Stack, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { NumberField } from '#parts/fields/NumberField.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { useSending } from '../sending.ts'
import { divideUsers, type UserPart } from './divide-users.ts'
import type { DraftVariant } from './draft-test.ts'
import { removeVariant } from './draft-variants.ts'
import classes from './Split.module.css'
import { evenShares, leastVariants, setShare } from './shares.ts'

/** The variants with their names and shares, which always add up to 100. */
export function Split() {
  const { variants: texts } = useTexts()
  const { draft, change, showVariant, variant } = useSending()
  const { test } = draft
  const shares = test.variants.map(({ share }) => share)
  const setAll = (next: readonly number[]) =>
    change({ test: { ...test, variants: test.variants.map((each, place) => ({ ...each, share: next[place] ?? 0 })) } })
  const remove = (place: number) => {
    change(removeVariant(draft, place))
    if (variant >= place) showVariant(Math.max(0, variant - 1))
  }
  const isEven = JSON.stringify(shares) === JSON.stringify(evenShares(shares.length))
  return (
    <Stack gap="xs" role="group" aria-label={texts.split}>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {texts.split}
        </Text>
        <Button variant="subtle" size="compact-sm" disabled={isEven} onClick={() => setAll(evenShares(shares.length))}>
          {texts.even}
        </Button>
      </Group>
      {test.variants.map((each, place) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: a variant is its place
          key={place}
          variant={each}
          place={place}
          count={shares.length}
          onName={(name) =>
            change({
              test: { ...test, variants: test.variants.map((old, at) => (at === place ? { ...old, name } : old)) },
            })
          }
          onShare={(share) => setAll(setShare(shares, place, share))}
          onRemove={() => remove(place)}
        />
      ))}
      <SplitBar parts={divideUsers(test)} />
    </Stack>
  )
}

interface LineProps {
  variant: DraftVariant
  place: number
  count: number
  onName(name: string): void
  onShare(share: number): void
  onRemove(): void
}

function Line({ variant: { name, share }, place, count, onName, onShare, onRemove }: LineProps) {
  const { variants: texts } = useTexts()
  const { faultOf } = useSending()
  const format = useFormat()
  const most = 100 - (count - 1)
  const field = `variants[${place}]`
  return (
    <div className={classes.line}>
      <TextInput
        className={classes.name ?? ''}
        aria-label={texts.nameOf(name)}
        value={name}
        maxLength={20}
        dir="ltr"
        autoComplete="off"
        onChange={(event) => onName(event.currentTarget.value)}
        error={faultOf(`${field}.name`)}
        data-field={`${field}.name`}
      />
      <Slider
        className={classes.slider ?? ''}
        thumbLabel={texts.shareOf(name)}
        min={1}
        max={most}
        value={share}
        onChange={onShare}
        label={(value) => format.percent(value / 100)}
      />
      <NumberField
        className={classes.share ?? ''}
        aria-label={texts.shareOf(name)}
        min={1}
        max={most}
        isWhole
        unit="%"
        value={share}
        onChange={(typed) => typed !== undefined && typed >= 1 && onShare(typed)}
        error={faultOf(`${field}.share`)}
        data-field={`${field}.share`}
      />
      {count > leastVariants && (
        <ActionIcon
          className={classes.remove ?? ''}
          variant="subtle"
          color="gray"
          size="lg"
          onClick={onRemove}
          aria-label={texts.remove(name)}
        >
          <IconTrash size={17} />
        </ActionIcon>
      )}
    </div>
  )
}

/** Drawn: how many of all users get what. */
function SplitBar({ parts }: { parts: readonly UserPart[] }) {
  const { variants: texts } = useTexts()
  const format = useFormat()
  const names = { variant: '', others: texts.bar.others, control: texts.bar.control }
  const drawn = parts.map((part, place) => ({
    ...part,
    label: part.kind === 'variant' ? part.name : names[part.kind],
    style: part.kind === 'variant' ? { opacity: 1 - place * 0.18 } : {},
  }))
  return (
    <div>
      <div className={classes.bar} aria-hidden>
        {drawn.map(({ kind, label, percent, style }) => (
          <div
            key={`${kind} ${label}`}
            className={classes.part}
            data-kind={kind}
            style={{ ...style, inlineSize: `${percent}%` }}
          />
        ))}
      </div>
      <ul className={classes.legend} aria-label={texts.bar.label}>
        {drawn.map(({ kind, label, percent, style }) => (
          <li key={`${kind} ${label}`}>
            <span className={`${classes.dot} ${classes.part}`} data-kind={kind} style={style} aria-hidden />
            <Text span size="xs" c="dimmed">
              <bdi>{label}</bdi> {format.percent(percent / 100)}
            </Text>
          </li>
        ))}
      </ul>
    </div>
  )
}
