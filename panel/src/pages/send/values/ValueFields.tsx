import { Box, SimpleGrid, Text, TextInput } from '@mantine/core'
import { Mono } from '#parts/Mono.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { useSending } from '../sending.ts'
import classes from './ValueFields.module.css'

/** A field for each value that the texts ask for, in whichever language or variant. */
export function ValueFields() {
  const { values: texts } = useTexts().send
  const { draft, change, wanted, faultOf } = useSending()
  if (wanted.length === 0) return null
  return (
    <Box role="group" aria-label={texts.title} className={classes.values}>
      <Text size="sm" fw={600}>
        {texts.title}
      </Text>
      <Text size="xs" c="dimmed" mb="sm">
        {texts.lead}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {wanted.map(({ name, required, fallback }) => (
          <TextInput
            key={name}
            label={<Mono>{name}</Mono>}
            aria-label={texts.label(name)}
            data-field={`values.${name}`}
            value={draft.values[name] ?? ''}
            onChange={(event) => change({ values: { ...draft.values, [name]: event.currentTarget.value } })}
            required={required}
            placeholder={fallback ?? ''}
            description={required ? undefined : fallback === undefined ? texts.optional : texts.fallback}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            error={faultOf(`values.${name}`)}
            styles={{ input: { textAlign: 'start', unicodeBidi: draft.values[name] ? 'plaintext' : 'normal' } }}
            autoComplete="off"
          />
        ))}
      </SimpleGrid>
    </Box>
  )
}
