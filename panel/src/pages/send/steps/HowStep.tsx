import { Accordion, Alert, Autocomplete, Checkbox, List, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormat, useTexts } from '../../../texts/LanguageProvider.tsx'
import { composeMessage } from '../draft/compose.ts'
import { type Draft, flagNames } from '../draft/draft.ts'
import { findContradictions } from '../draft/find-contradictions.ts'
import { SmsFields } from '../fields/SmsFields.tsx'
import { SpanInput } from '../fields/SpanInput.tsx'
import { TextField } from '../fields/TextField.tsx'
import { useCodesLeft, useTrackIds } from '../queries.ts'
import { useSending } from '../sending.ts'
import { Step } from './Step.tsx'

export function HowStep() {
  const { send } = useTexts()
  const { draft, change } = useSending()
  const contradictions = findContradictions(draft)
  const isMessage = draft.product === 'message'
  return (
    <Step name="how">
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Campaign />
          <SpanInput
            field="ttl"
            label={send.ttl}
            hint={isMessage ? send.ttlHint : send.ttlHintNotification}
            value={draft.ttl}
            onChange={(ttl) => change({ ttl })}
          />
        </SimpleGrid>
        <Flags />
        {contradictions.length > 0 && (
          <Alert variant="light" icon={<IconInfoCircle />}>
            <List size="sm" spacing={4} listStyleType={contradictions.length === 1 ? 'none' : 'disc'}>
              {contradictions.map((name) => (
                <List.Item key={name}>{send.contradictions[name]}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        <SmsFields />
        <Rare />
      </Stack>
    </Step>
  )
}

/** What few need: a channel of the message, and an id of the caller's own. */
function Rare() {
  const { send } = useTexts()
  const { draft, change, faultOf } = useSending()
  const [isOpen, setIsOpen] = useState(false)
  const hasChannel = draft.product === 'message' && draft.who.kind !== 'channel'
  const isFaulty = faultOf('channel') !== undefined || faultOf('clientId') !== undefined
  if (!hasChannel && draft.who.kind !== 'users') return null
  return (
    <Accordion
      variant="contained"
      order={3}
      value={isOpen || isFaulty ? 'rare' : null}
      onChange={(value) => setIsOpen(value !== null)}
    >
      <Accordion.Item value="rare">
        <Accordion.Control>
          <Text size="sm">{send.rare}</Text>
        </Accordion.Control>
        <Accordion.Panel>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
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
      <Text component="legend" size="sm" fw={600} mb="xs">
        {texts.label}
      </Text>
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

function Campaign() {
  const { send } = useTexts()
  const { draft, change, faultOf } = useSending()
  const { data } = useTrackIds(draft.trackId)
  const names = (data?.data ?? []).map(({ trackId }) => trackId)
  return (
    <Stack gap={4}>
      <Autocomplete
        label={send.trackId}
        description={send.trackIdHint}
        placeholder={send.trackIdPlaceholder}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        data={[...new Set(names)]}
        filter={({ options }) => options}
        value={draft.trackId}
        onChange={(trackId) => change({ trackId })}
        error={faultOf('trackId')}
        dir="ltr"
        autoComplete="off"
        data-field="trackId"
      />
      <CodesLeft draft={draft} />
    </Stack>
  )
}

/** How many codes there are, where the message asks for one. */
function CodesLeft({ draft }: { draft: Draft }) {
  const { personal } = useTexts().send
  const format = useFormat()
  const asksForCode = JSON.stringify(composeMessage(draft, '').message).includes('promoCode')
  const { data } = useCodesLeft(draft.trackId, asksForCode)
  if (!asksForCode || data === undefined) return null
  const { campaign, global = 0 } = data
  const left =
    (campaign ?? 0) + global === 0
      ? personal.promoNone
      : campaign === undefined
        ? personal.promoGlobal(format.number(global))
        : personal.promoLeft(format.number(campaign), format.number(global))
  return (
    <Text size="xs" c={(campaign ?? 0) + global === 0 ? 'var(--mantine-color-error)' : 'dimmed'}>
      {personal.promoCode}: {left}
    </Text>
  )
}
