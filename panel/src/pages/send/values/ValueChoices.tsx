import { ActionIcon, Divider, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { expression } from '../fields/insert-template.ts'
import classes from '../fields/TemplatePicker.module.css'
import { useSending } from '../sending.ts'

const valueName = /^\p{L}[\p{L}\p{M}\p{N}_-]{0,63}$/u

/** Inserts a value that is given with the send: one that another text has already, or a new one. */
export function ValueChoices({ instead, onPick }: { instead: string; onPick(template: string): void }) {
  const { values: texts } = useTexts().send
  const { draft, wanted } = useSending()
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  const isWrong = name !== '' && !valueName.test(name)
  const add = () => name !== '' && !isWrong && onPick(expression(`values.${name}`, instead))
  const addByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    add()
  }
  return (
    <>
      <Divider my={6} label={texts.given} labelPosition="left" />
      {wanted.map(({ name: known, fallback }) => (
        <UnstyledButton
          key={known}
          className={classes.choice}
          onClick={() => onPick(expression(`values.${known}`, instead))}
        >
          <span dir="auto">{known}</span>
          <span className={classes.value} dir="auto">
            {draft.values[known] || fallback}
          </span>
        </UnstyledButton>
      ))}
      <TextInput
        size="xs"
        px={8}
        pt={4}
        aria-label={texts.new}
        placeholder={texts.newPlaceholder}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={addByKey}
        error={isWrong && texts.wrongName}
        dir="auto"
        rightSection={
          <ActionIcon size={24} variant="subtle" aria-label={texts.add} disabled={name === '' || isWrong} onClick={add}>
            <IconPlus size={14} />
          </ActionIcon>
        }
      />
      <Text size="xs" c="dimmed" px={8} pt={4}>
        {texts.newHint}
      </Text>
    </>
  )
}
