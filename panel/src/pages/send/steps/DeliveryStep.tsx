import { Accordion, Alert, Checkbox, List, SimpleGrid, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { flagNames } from '../draft/draft.ts'
import { findContradictions } from '../draft/find-contradictions.ts'
import { CategoryField } from '../fields/CategoryField.tsx'
import { SpanInput } from '../fields/SpanInput.tsx'
import { SmsFields } from '../fields/sms/SmsFields.tsx'
import { TextField } from '../fields/TextField.tsx'
import { useIsCampaignMissing } from '../queries.ts'
import { useSending } from '../sending.ts'
import { WhenField } from '../when/WhenField.tsx'
import { Step } from './Step.tsx'

export function DeliveryStep() {
  const { send } = useTexts()
  const { draft, change, faultOf } = useSending()
  const contradictions = findContradictions(draft, useIsCampaignMissing(draft.trackId))
  const isMessage = draft.product === 'message'
  return (
    <Step name="delivery">
      <Stack>
        <WhenField />
        <CategoryField />
        <SpanInput
          field="ttl"
          label={send.ttl}
          hint={isMessage ? send.ttlHint : send.ttlHintNotification}
          value={draft.ttl}
          onChange={(ttl) => change({ ttl })}
        />
        <TextInput
          data-field="throttle.perMinute"
          label={send.pace.label}
          description={send.pace.hint}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          placeholder={send.pace.none}
          inputMode="numeric"
          maw={260}
          value={draft.perMinute}
          error={faultOf('throttle.perMinute')}
          onChange={(event) => change({ perMinute: event.currentTarget.value })}
        />
        <SmsFields />
        <Advanced />
        {contradictions.length > 0 && (
          <Alert variant="light" icon={<IconInfoCircle />}>
            <List size="sm" spacing={4} listStyleType={contradictions.length === 1 ? 'none' : 'disc'}>
              {contradictions.map((name) => (
                <List.Item key={name}>{send.contradictions[name]}</List.Item>
              ))}
            </List>
          </Alert>
        )}
      </Stack>
    </Step>
  )
}

/** What few need. Closed, it says what of it is set. */
function Advanced() {
  const { send } = useTexts()
  const { draft, change, faultOf } = useSending()
  const [isOpen, setIsOpen] = useState(false)
  const hasChannel = draft.product === 'message' && draft.who.kind !== 'channel'
  const isFaulty = faultOf('channel') !== undefined || faultOf('clientId') !== undefined
  const isShown = isOpen || isFaulty
  const chosen = flagNames.filter((flag) => draft.flags[flag]).map((flag) => send.flags[flag].label)
  if (hasChannel && draft.channel !== '') chosen.push(`${send.channel}: ${draft.channel}`)
  return (
    <Accordion
      variant="contained"
      order={3}
      value={isShown ? 'advanced' : null}
      onChange={(value) => setIsOpen(value !== null)}
    >
      <Accordion.Item value="advanced">
        <Accordion.Control>
          <Text size="sm">{send.advanced}</Text>
          {!isShown && chosen.length > 0 && (
            <Text size="xs" c="dimmed">
              {chosen.join(send.count.between)}
            </Text>
          )}
        </Accordion.Control>
        <Accordion.Panel>
          <Flags />
          <SimpleGrid cols={{ base: 1, sm: 2 }} mt="md">
            {hasChannel && (
              <TextField
                field="channel"
                label={send.channel}
                hint={send.channelHint}
                isCode
                value={draft.channel}
                onChange={(channel) => change({ channel })}
              />
            )}
            {draft.who.kind === 'users' && (
              <TextField
                field="clientId"
                label={send.clientId}
                hint={send.clientIdHint}
                isCode
                value={draft.clientId}
                onChange={(clientId) => change({ clientId })}
              />
            )}
          </SimpleGrid>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

function Flags() {
  const { flags: texts } = useTexts().send
  const { draft, change } = useSending()
  const { product } = draft
  const shown = flagNames.filter(
    (flag) => product === 'message' || (flag !== 'inApp' && flag !== 'useAsAlert') || draft.flags[flag],
  )
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0 }}>
      <VisuallyHidden component="legend">{texts.label}</VisuallyHidden>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        {shown.map((flag) => (
          <Checkbox
            key={flag}
            label={texts[flag].label}
            description={texts[flag].text}
            checked={draft.flags[flag]}
            onChange={(event) => change({ flags: { ...draft.flags, [flag]: event.currentTarget.checked } })}
          />
        ))}
      </SimpleGrid>
    </fieldset>
  )
}
