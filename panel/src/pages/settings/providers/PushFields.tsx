import { Button, FileButton, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useTexts } from '#texts/LanguageProvider.tsx'

export type Credentials = Record<string, unknown>

export interface FieldsProps {
  value: Credentials
  onChange(change: Credentials): void
}

/** A value of the form as a text. */
export function textOf(value: Credentials, name: string): string {
  const found = value[name]
  return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
}

const longestFile = 100_000

/** A secret that comes as a file: pasted or chosen. */
function FileField({ label, text, name, accept, value, onChange }: FieldsProps & FileFieldProps) {
  const { settings } = useTexts()
  const read = (file: File | null) => {
    if (file && file.size <= longestFile) void file.text().then((content) => onChange({ [name]: content }))
  }
  return (
    <Stack gap={6}>
      <Textarea
        label={label}
        description={text}
        required
        withAsterisk={false}
        minRows={5}
        maxRows={10}
        autosize
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        value={textOf(value, name)}
        onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      />
      <Group>
        <FileButton onChange={read} accept={accept}>
          {(props) => (
            <Button {...props} variant="default" size="xs">
              {settings.providers.fcm.choose}
            </Button>
          )}
        </FileButton>
      </Group>
    </Stack>
  )
}

interface FileFieldProps {
  label: string
  text: string
  name: string
  accept: string
}

export function FcmFields(props: FieldsProps) {
  const { settings } = useTexts()
  const words = settings.providers.fcm
  return <FileField {...props} label={words.file} text={words.fileText} name="file" accept=".json,application/json" />
}

export function ApnsFields({ value, onChange }: FieldsProps) {
  const { settings } = useTexts()
  const words = settings.providers.apns
  const field = (name: string) => ({
    required: true,
    withAsterisk: false,
    dir: 'ltr' as const,
    autoComplete: 'off',
    value: textOf(value, name),
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [name]: event.currentTarget.value.trim() }),
  })
  return (
    <>
      <FileField
        value={value}
        onChange={onChange}
        label={words.key}
        text={words.keyText}
        name="privateKey"
        accept=".p8"
      />
      <Group grow align="flex-start">
        <TextInput label={words.keyId} description={words.keyIdText} maxLength={10} {...field('keyId')} />
        <TextInput label={words.teamId} description={words.teamIdText} maxLength={10} {...field('teamId')} />
      </Group>
      <TextInput label={words.bundleId} placeholder="com.example.shop" {...field('bundleId')} />
      <Select
        label={words.environment}
        data={Object.entries(words.environments).map(([name, label]) => ({ value: name, label }))}
        allowDeselect={false}
        value={textOf(value, 'environment')}
        onChange={(environment) => onChange({ environment })}
      />
    </>
  )
}

export function WebPushFields({ value, onChange }: FieldsProps) {
  const { settings } = useTexts()
  const words = settings.providers.webpush
  return (
    <>
      <TextInput
        label={words.subject}
        description={words.subjectText}
        placeholder="mailto:you@shop.example"
        required
        withAsterisk={false}
        dir="ltr"
        value={textOf(value, 'subject')}
        onChange={(event) => onChange({ subject: event.currentTarget.value })}
      />
      <Text size="sm" c="dimmed">
        {words.pairText}
      </Text>
    </>
  )
}
