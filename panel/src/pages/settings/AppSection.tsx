import { Button, Group, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import type { changeApp, OwnApp } from '@peyk/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { sessionKey } from '../../api/session-key.ts'
import { useAppMutation } from '../../api/use-app-query.ts'
import { Answer } from '../../parts/Answer.tsx'
import { Fault } from '../../parts/Fault.tsx'
import { NumberField } from '../../parts/fields/NumberField.tsx'
import { useLeaveQuestion } from '../../parts/hooks/use-leave-question.ts'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { Panel } from '../../parts/Panel.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { ChecklistAgain } from './ChecklistAgain.tsx'
import { useOwnApp } from './queries.ts'

export function AppSection() {
  const { settings } = useTexts()
  const app = useOwnApp()
  return (
    <Stack>
      <Panel title={settings.app.title} lead={settings.app.lead}>
        <Answer of={app}>{(found) => <AppForm key={found.appId} app={found} />}</Answer>
      </Panel>
      <ChecklistAgain />
    </Stack>
  )
}

type Change = Required<
  Pick<
    OwnApp,
    | 'name'
    | 'defaultNotificationText'
    | 'defaultIcon'
    | 'allowUserMessages'
    | 'allowPublicUserMessages'
    | 'withholdCodesFromGuests'
    | 'withholdCodesHours'
    | 'zone'
  >
>

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')]

function AppForm({ app }: { app: OwnApp }) {
  const { settings, common } = useTexts()
  const words = settings.app
  const toast = useToast()
  const client = useQueryClient()
  const stored: Change = {
    name: app.name,
    defaultNotificationText: app.defaultNotificationText ?? '',
    defaultIcon: app.defaultIcon ?? '',
    allowUserMessages: app.allowUserMessages,
    allowPublicUserMessages: app.allowPublicUserMessages,
    withholdCodesFromGuests: app.withholdCodesFromGuests,
    withholdCodesHours: app.withholdCodesHours,
    zone: app.zone,
  }
  const [name, setName] = useState(stored.name)
  const [text, setText] = useState(stored.defaultNotificationText)
  const [icon, setIcon] = useState(stored.defaultIcon)
  const [allowUserMessages, setAllowUserMessages] = useState(stored.allowUserMessages)
  const [allowPublicUserMessages, setAllowPublicUserMessages] = useState(stored.allowPublicUserMessages)
  const [withholdCodesFromGuests, setWithholdCodesFromGuests] = useState(stored.withholdCodesFromGuests)
  const [withholdCodesHours, setWithholdCodesHours] = useState(stored.withholdCodesHours)
  const [zone, setZone] = useState(stored.zone)
  const save = useAppMutation<typeof changeApp>('PUT', '/app', {
    refreshes: ['/app'],
    onSuccess: () => {
      toast.done(common.saved)
      void client.invalidateQueries({ queryKey: sessionKey })
    },
  })
  const change: Change = {
    name: name.trim(),
    defaultNotificationText: text,
    defaultIcon: icon,
    allowUserMessages,
    allowPublicUserMessages,
    withholdCodesFromGuests,
    withholdCodesHours,
    zone,
  }
  useLeaveQuestion(JSON.stringify(change) !== JSON.stringify(stored))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(change)
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={560}>
        <TextInput label={words.id} description={words.idText} value={app.appId} readOnly dir="ltr" variant="filled" />
        <TextInput
          label={words.name}
          description={words.nameText}
          required
          withAsterisk={false}
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label={words.text}
          description={words.textText}
          autosize
          minRows={2}
          maxLength={1000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <TextInput
          label={words.icon}
          description={words.iconText}
          maxLength={2000}
          dir="ltr"
          value={icon}
          onChange={(event) => setIcon(event.currentTarget.value)}
        />
        <Switch
          label={words.userMessages}
          description={words.userMessagesText}
          checked={allowUserMessages}
          onChange={(event) => setAllowUserMessages(event.currentTarget.checked)}
        />
        <Switch
          label={words.publicUserMessages}
          description={words.publicUserMessagesText}
          checked={allowPublicUserMessages}
          disabled={!allowUserMessages}
          onChange={(event) => setAllowPublicUserMessages(event.currentTarget.checked)}
        />
        <Switch
          label={words.withholdFromGuests}
          description={words.withholdFromGuestsText}
          checked={withholdCodesFromGuests}
          onChange={(event) => setWithholdCodesFromGuests(event.currentTarget.checked)}
        />
        <NumberField
          label={words.withholdHours}
          description={words.withholdHoursText}
          min={0}
          max={8_760}
          isWhole
          value={withholdCodesHours}
          onChange={(hours) => setWithholdCodesHours(hours ?? 0)}
        />
        <Select
          label={words.zone}
          description={words.zoneText}
          data={zones.includes(zone) ? zones : [zone, ...zones]}
          value={zone}
          onChange={(chosen) => setZone(chosen ?? 'UTC')}
          searchable
          allowDeselect={false}
          limit={50}
          dir="ltr"
        />
        {save.isError && <Fault error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
