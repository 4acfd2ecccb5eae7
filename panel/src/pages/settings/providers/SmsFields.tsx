import { Group, PasswordInput, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { NumberField } from '#parts/fields/NumberField.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { type FieldsProps, textOf } from './PushFields.tsx'

export function SmsFields({ value, onChange }: FieldsProps) {
  const { settings } = useTexts()
  const words = settings.providers.sms
  const isHttp = value.kind === 'http'
  const pick = (kind: string) => onChange({ kind })
  return (
    <>
      <SegmentedControl
        aria-label={words.kind}
        data={Object.entries(words.kinds).map(([name, label]) => ({ value: name, label }))}
        value={textOf(value, 'kind')}
        onChange={pick}
      />
      {isHttp ? <HttpFields value={value} onChange={onChange} /> : <TwilioFields value={value} onChange={onChange} />}
      <NumberField
        label={words.dailyLimit}
        min={0}
        max={10_000_000}
        isWhole
        required
        withAsterisk={false}
        maw={240}
        value={value.dailyLimit as number | undefined}
        onChange={(dailyLimit) => onChange({ dailyLimit })}
      />
    </>
  )
}

function useField({ value, onChange }: FieldsProps) {
  return (name: string) => ({
    dir: 'ltr' as const,
    autoComplete: 'off',
    value: textOf(value, name),
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [name]: event.currentTarget.value }),
  })
}

function TwilioFields(props: FieldsProps) {
  const { settings } = useTexts()
  const words = settings.providers.sms
  const field = useField(props)
  return (
    <>
      <TextInput label={words.accountSid} placeholder="AC…" required withAsterisk={false} {...field('accountSid')} />
      <PasswordInput
        label={words.authToken}
        required
        withAsterisk={false}
        {...field('authToken')}
        autoComplete="new-password"
      />
      <TextInput label={words.from} description={words.fromText} required withAsterisk={false} {...field('from')} />
    </>
  )
}

function HttpFields(props: FieldsProps) {
  const { settings } = useTexts()
  const words = settings.providers.sms
  const { value, onChange } = props
  const field = useField(props)
  return (
    <Stack>
      <Group align="flex-start" wrap="nowrap">
        <Select
          label={words.method}
          data={['GET', 'POST', 'PUT']}
          allowDeselect={false}
          w={110}
          value={textOf(value, 'method')}
          onChange={(method) => onChange({ method })}
        />
        <TextInput
          label={words.url}
          description={words.urlText}
          placeholder="https://sms.example.com/send"
          required
          withAsterisk={false}
          flex={1}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...field('url')}
        />
      </Group>
      <Textarea label={words.headers} description={words.headersText} autosize minRows={2} {...field('headerLines')} />
      {value.method !== 'GET' && (
        <>
          <Select
            label={words.contentType}
            data={['json', 'form', 'text']}
            allowDeselect={false}
            maw={160}
            value={textOf(value, 'contentType')}
            onChange={(contentType) => onChange({ contentType })}
          />
          <Textarea
            label={words.body}
            description={words.bodyText}
            placeholder='{"to": "{{to}}", "text": "{{text}}"}'
            autosize
            minRows={2}
            required
            withAsterisk={false}
            {...field('body')}
          />
        </>
      )}
      <TextInput label={words.success} description={words.successText} {...field('contains')} />
    </Stack>
  )
}
