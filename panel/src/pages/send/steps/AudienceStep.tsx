import { Alert, Autocomplete, Group, Stack, Text } from '@mantine/core'
import type { channels } from '@peyk/contract'
import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useApp } from '#api/use-app.ts'
import { useAppQuery } from '#api/use-app-query.ts'
import { SegmentPicker } from '#parts/segment-builder/SegmentPicker.tsx'
import { SegmentRules } from '#parts/segment-builder/SegmentRules.tsx'
import { SegmentSentence } from '#parts/segment-builder/SegmentSentence.tsx'
import { isEmpty, startingSegment } from '#parts/segment-builder/segment-draft.ts'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { composeReceivers } from '../draft/compose.ts'
import type { Draft, WhoKind } from '../draft/draft.ts'
import type { LostReceivers } from '../draft/draft-from-message.ts'
import { readUserIds } from '../draft/read-user-ids.ts'
import { CampaignField } from '../fields/CampaignField.tsx'
import { Choice } from '../fields/Choice.tsx'
import { TextField } from '../fields/TextField.tsx'
import type { useReceiverCount } from '../queries.ts'
import { useSending } from '../sending.ts'
import { Ids } from './MissingUsers.tsx'
import { ReceiverCount } from './ReceiverCount.tsx'
import { Step } from './Step.tsx'

const kinds: readonly WhoKind[] = ['users', 'segment', 'rules', 'channel', 'everybody']

interface WhoStepProps {
  counted: ReturnType<typeof useReceiverCount>
  /** Why a repeated message has no recipients here. */
  lost: LostReceivers | undefined
}

export function AudienceStep({ counted, lost }: WhoStepProps) {
  const { who: texts } = useTexts().send
  const { draft, change } = useSending()
  const { may } = useApp()
  const set = (changes: Partial<Draft['who']>) => change({ who: { ...draft.who, ...changes } })
  const mayMany = may('send-to-many')
  const [pressed, setPressed] = useState<WhoKind>()
  return (
    <Step name="audience">
      <Stack>
        {mayMany ? (
          <Choice<WhoKind>
            label={texts.label}
            value={draft.who.kind}
            onChange={(kind) => {
              const { rules } = draft.who
              if (kind !== pressed) setPressed(undefined)
              set({ kind, ...(kind === 'rules' && isEmpty(rules) && { rules: startingSegment() }) })
            }}
            onPress={setPressed}
            options={kinds.map((kind) => ({ value: kind, label: texts.kinds[kind] }))}
          />
        ) : (
          <Alert variant="light" color="gray" icon={<IconInfoCircle />}>
            {texts.oneOnly}
          </Alert>
        )}
        {lost !== undefined && !counted.isChosen && (
          <Alert variant="light" color="orange" icon={<IconInfoCircle />}>
            {texts.lost[lost]}
          </Alert>
        )}
        <Recipients set={set} error={counted.error} pressed={pressed} />
        <ReceiverCount counted={counted} />
        <CampaignField />
      </Stack>
    </Step>
  )
}

interface RecipientsProps {
  set(changes: Partial<Draft['who']>): void
  error: Error | null
  /** The kind that was chosen with the pointer: the next thing to do is offered at once. */
  pressed: WhoKind | undefined
}

function Recipients({ set, error, pressed }: RecipientsProps) {
  const { who: texts } = useTexts().send
  const { draft, faultOf } = useSending()
  const { who } = draft
  const { receivers } = composeReceivers(draft)
  switch (who.kind) {
    case 'users':
      return <NamedUsers users={who.users} set={set} />
    case 'segment':
      return (
        <div data-field="target">
          <SegmentPicker
            value={who.segment === '' ? undefined : who.segment}
            onChange={(segment) => set({ segment: segment ?? '' })}
            error={faultOf('target')}
            isOpened={pressed === 'segment'}
          />
        </div>
      )
    case 'rules':
      return (
        <Stack gap="xs" data-field="segment">
          <SegmentRules value={who.rules} onChange={(rules) => set({ rules })} error={error} />
          {!isEmpty(who.rules) && (
            <Text size="sm">
              <SegmentSentence value={who.rules} />
            </Text>
          )}
          {faultOf('segment') !== undefined && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {faultOf('segment')}
            </Text>
          )}
        </Stack>
      )
    case 'channel':
      return <PublicChannel set={set} />
    case 'everybody':
      return (
        <Alert variant="light" color="orange" icon={<IconInfoCircle />}>
          {receivers.channel === undefined ? texts.everybody : texts.everybodyOn(receivers.channel)}
        </Alert>
      )
  }
}

function NamedUsers({ users, set }: { users: string; set(changes: Partial<Draft['who']>): void }) {
  const { who: texts } = useTexts().send
  const format = useFormat()
  const { may } = useApp()
  const { ids, wrong } = readUserIds(users)
  const isTooMany = ids.length > 10 && !may('send-to-many')
  return (
    <Stack gap={6}>
      <TextField
        field="users"
        label={texts.users}
        hint={may('send-to-many') ? texts.usersHint : texts.usersHintFew}
        placeholder={texts.usersPlaceholder}
        rows={3}
        isCode
        value={users}
        onChange={(text) => set({ users: text })}
      />
      {wrong.length > 0 && (
        <Text size="sm" c="var(--mantine-color-error)">
          {texts.wrongIds(wrong.length, format.number(wrong.length))} <Ids count={wrong.length} first={wrong} />
        </Text>
      )}
      {ids.length > 1 && (
        <Text size="sm" c="dimmed">
          {texts.usersRead(ids.length, format.number(ids.length))}
        </Text>
      )}
      {isTooMany && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {texts.tooMany}
        </Text>
      )}
    </Stack>
  )
}

function PublicChannel({ set }: { set(changes: Partial<Draft['who']>): void }) {
  const { who: texts } = useTexts().send
  const { draft, faultOf } = useSending()
  const { data = [] } = useAppQuery<typeof channels>('/channels')
  const format = useFormat()
  const sizes = new Map(data.map(({ channel, count }) => [channel, count]))
  sizes.delete('default')
  return (
    <Autocomplete
      label={texts.channel}
      placeholder={texts.channelPlaceholder}
      description={texts.channelHint}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      data={[...sizes.keys()]}
      renderOption={({ option: { value } }) => (
        <Group justify="space-between" flex={1}>
          <span>{value}</span>
          <Text size="sm" c="dimmed">
            {format.number(sizes.get(value) ?? 0)}
          </Text>
        </Group>
      )}
      value={draft.who.channel}
      onChange={(channel) => set({ channel })}
      error={faultOf('channel')}
      dir="ltr"
      data-field="channel"
    />
  )
}
