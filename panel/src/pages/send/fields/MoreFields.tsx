import { Accordion, Badge, Button, Checkbox, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { readData } from '../draft/compose.ts'
import type { NotificationFlag, NotificationText } from '../draft/draft.ts'
import { useSending } from '../sending.ts'
import { ImageField } from './ImageField.tsx'
import { TextField } from './TextField.tsx'

type GroupName = 'look' | 'texts' | 'android' | 'ios' | 'web' | 'data'
type Filled = NotificationText | NotificationFlag | 'vibrate'

const ofGroup: Record<Exclude<GroupName, 'texts' | 'data'>, readonly Filled[]> = {
  look: ['icon', 'dir', 'sound', 'groupId', 'mediaType'],
  android: ['largeIcon', 'smallIcon', 'color', 'ledColor', 'vibrate'],
  ios: ['category', 'contentAvailable', 'mutableContent'],
  web: ['chromeBadge', 'requireInteraction', 'renotify'],
}

/** The fields that few messages need, by platform. A group with something wrong in it opens by itself. */
export function MoreFields() {
  const { fields } = useTexts().send
  const { draft, faultOf } = useSending()
  const format = useFormat()
  const [opened, setOpened] = useState<string[]>([])
  const { notification } = draft

  const filled: Record<GroupName, number> = {
    look: countFilled(ofGroup.look),
    texts: draft.alertText === '' ? 0 : 1,
    android: countFilled(ofGroup.android),
    ios: countFilled(ofGroup.ios),
    web: countFilled(ofGroup.web),
    data: draft.data === '' ? 0 : 1,
  }
  const faulty = Object.entries(ofGroup).flatMap(([group, names]) =>
    names.some((name) => faultOf(`notification.${name}`) !== undefined) ? [group] : [],
  )
  if (faultOf('data') !== undefined) faulty.push('data')
  if (faultOf('alertText') !== undefined) faulty.push('texts')

  function countFilled(names: readonly Filled[]): number {
    return names.filter((name) => notification[name] !== '' && notification[name] !== false).length
  }
  const contents: Record<GroupName, ReactNode> = {
    look: <LookFields />,
    texts: <OtherTexts />,
    android: <AndroidFields />,
    ios: (
      <WithFlags flags={['contentAvailable', 'mutableContent']}>
        <NotificationField name="category" />
      </WithFlags>
    ),
    web: (
      <WithFlags flags={['requireInteraction', 'renotify']}>
        <ImageField name="chromeBadge" />
      </WithFlags>
    ),
    data: <DataField />,
  }
  return (
    <Accordion multiple variant="contained" value={[...new Set([...opened, ...faulty])]} onChange={setOpened} order={3}>
      {(Object.keys(contents) as GroupName[]).map((group) => (
        <Accordion.Item key={group} value={group}>
          <Accordion.Control>
            <Group gap="xs">
              <Text size="sm">{fields.groups[group]}</Text>
              {filled[group] > 0 && (
                <Badge size="sm" variant="light">
                  {format.number(filled[group])}
                </Badge>
              )}
            </Group>
          </Accordion.Control>
          <Accordion.Panel>{contents[group]}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

type Hinted = Exclude<NotificationText, 'title' | 'body' | 'dir'>

function NotificationField({ name }: { name: Hinted | 'vibrate' }) {
  const { fields } = useTexts().send
  const { draft, changeNotification } = useSending()
  return (
    <TextField
      field={`notification.${name}`}
      label={fields[name]}
      hint={fields[`${name}Hint`]}
      isCode
      value={draft.notification[name]}
      onChange={(value) => changeNotification({ [name]: value })}
    />
  )
}

function LookFields() {
  const { fields } = useTexts().send
  const { draft, changeNotification } = useSending()
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <ImageField name="icon" />
      <Select
        label={fields.dir}
        data={[
          { value: '', label: fields.dirs.auto },
          { value: 'rtl', label: fields.dirs.rtl },
          { value: 'ltr', label: fields.dirs.ltr },
        ]}
        value={draft.notification.dir}
        onChange={(dir) => changeNotification({ dir: dir ?? '' })}
        allowDeselect={false}
      />
      <NotificationField name="sound" />
      <NotificationField name="groupId" />
      <NotificationField name="mediaType" />
    </SimpleGrid>
  )
}

function OtherTexts() {
  const { fields } = useTexts().send
  const { draft, change } = useSending()
  return (
    <TextField
      field="alertText"
      label={fields.alertText}
      hint={fields.alertTextHint}
      isPersonal
      hasEmoji
      value={draft.alertText}
      onChange={(alertText) => change({ alertText })}
    />
  )
}

function AndroidFields() {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <ImageField name="largeIcon" />
      {(['smallIcon', 'color', 'ledColor', 'vibrate'] as const).map((name) => (
        <NotificationField key={name} name={name} />
      ))}
    </SimpleGrid>
  )
}

function WithFlags({ children, flags }: { children: ReactNode; flags: readonly NotificationFlag[] }) {
  const { fields } = useTexts().send
  const { draft, changeNotification } = useSending()
  return (
    <Stack>
      {children}
      {flags.map((name) => (
        <Checkbox
          key={name}
          label={fields[name]}
          description={fields[`${name}Hint`]}
          checked={draft.notification[name]}
          onChange={(event) => changeNotification({ [name]: event.currentTarget.checked })}
        />
      ))}
    </Stack>
  )
}

function DataField() {
  const { fields } = useTexts().send
  const { draft, change } = useSending()
  const { value } = readData(draft.data)
  return (
    <Stack gap="xs" align="flex-start">
      <div style={{ width: '100%' }}>
        <TextField
          field="data"
          label={fields.data}
          hint={fields.dataHint}
          rows={3}
          isCode
          value={draft.data}
          onChange={(data) => change({ data })}
        />
      </div>
      {value !== undefined && (
        <Button size="compact-xs" variant="subtle" onClick={() => change({ data: JSON.stringify(value, null, 2) })}>
          {fields.dataTidy}
        </Button>
      )}
    </Stack>
  )
}
