import { Divider, ScrollArea, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { useState } from 'react'
import { Picker } from '#parts/fields/Picker.tsx'
import type { Format } from '#texts/format.ts'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { useCodesLeft } from '../queries.ts'
import { useSending } from '../sending.ts'
import { ValueChoices } from '../values/ValueChoices.tsx'
import { attributeTemplate, expression } from './insert-template.ts'
import { sayCodesLeft } from './say-codes-left.ts'
import classes from './TemplatePicker.module.css'

/** Inserts what differs from user to user, and shows what it is for the sample user. */
export function TemplatePicker({ label, onPick }: { label: string; onPick(template: string): void }) {
  const { personal } = useTexts().send
  return (
    <Picker
      title={personal.title}
      label={personal.open(label)}
      icon={<IconBraces size={16} />}
      width={320}
      onPick={onPick}
    >
      {(pick) => <Choices onPick={pick} />}
    </Picker>
  )
}

function Choices({ onPick }: { onPick(template: string): void }) {
  const { personal } = useTexts().send
  const { sample } = useSending()
  const format = useFormat()
  const [search, setSearch] = useState('')
  const [instead, setInstead] = useState('')
  const attributes = (sample?.attributes ?? []).filter(({ name }) =>
    name.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase()),
  )
  const person = sample?.person
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {personal.title}
      </Text>
      <TextInput
        size="xs"
        label={personal.instead}
        placeholder={personal.insteadPlaceholder}
        value={instead}
        onChange={(event) => setInstead(event.currentTarget.value)}
        dir="auto"
        data-autofocus
      />
      {(sample?.attributes.length ?? 0) > 8 && (
        <TextInput
          size="xs"
          aria-label={personal.search}
          placeholder={personal.search}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <Text size="xs" c="dimmed">
        {person ? personal.sample(person.userId) : personal.noSample}
      </Text>
      <ScrollArea.Autosize mah={240} type="auto" offsetScrollbars="present">
        {attributes.length === 0 && (
          <Text size="xs" c="dimmed" py={4}>
            {personal.noAttributes}
          </Text>
        )}
        {attributes.map(({ name, value }) => (
          <Choice
            key={name}
            name={name}
            value={show(value, format)}
            onPick={() => onPick(attributeTemplate(name, instead))}
          />
        ))}
        <Divider my={6} label={personal.others} labelPosition="left" />
        <Choice name={personal.userId} value={person?.userId} onPick={() => onPick(expression('userId'))} />
        <Choice name={personal.deviceType} value={person?.deviceType} onPick={() => onPick(expression('deviceType'))} />
        <UnstyledButton className={classes.choice} onClick={() => onPick(expression('preferencesUrl'))}>
          <span>{personal.preferencesUrl}</span>
        </UnstyledButton>
        <PromoChoice onPick={() => onPick(expression('promoCode'))} />
        <ValueChoices instead={instead} onPick={onPick} />
      </ScrollArea.Autosize>
    </Stack>
  )
}

function Choice({ name, value, onPick }: { name: string; value: string | undefined; onPick(): void }) {
  const { personal } = useTexts().send
  return (
    <UnstyledButton className={classes.choice} onClick={onPick}>
      <span dir="auto">{name}</span>
      <span className={classes.value} dir="auto">
        {value ?? personal.empty}
      </span>
    </UnstyledButton>
  )
}

function PromoChoice({ onPick }: { onPick(): void }) {
  const { personal } = useTexts().send
  const { draft } = useSending()
  const format = useFormat()
  const { data } = useCodesLeft(draft.trackId, true)
  return (
    <>
      <UnstyledButton className={classes.choice} onClick={onPick}>
        <span>{personal.promoCode}</span>
      </UnstyledButton>
      <Text size="xs" c="dimmed" px={8}>
        {personal.promoHint} {data && sayCodesLeft(data, draft.trackId, personal, format).text}
      </Text>
    </>
  )
}

const isoMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/** For reading: a list as a list, a moment as a day. */
function show(value: unknown, format: Format): string | undefined {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value)) return format.list(value.map(String))
  if (typeof value === 'string' && isoMoment.test(value)) return format.day(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
