import { Button, Group, Stack } from '@mantine/core'
import type { PanelRetention, panelChangeRetention } from '@peyk/contract'
import { type FormEvent, useState } from 'react'
import { useAppMutation } from '../../api/use-app-query.ts'
import { Answer } from '../../parts/Answer.tsx'
import { useConfirm } from '../../parts/Confirm.tsx'
import { Fault } from '../../parts/Fault.tsx'
import { NumberField } from '../../parts/fields/NumberField.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { Panel } from '../../parts/Panel.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { useRetention } from './queries.ts'

const longestDays = 3650

export function RetentionSection() {
  const { settings } = useTexts()
  const retention = useRetention()
  return (
    <Panel title={settings.retention.title} lead={settings.retention.lead}>
      <Answer of={retention}>{(found) => <RetentionForm retention={found} />}</Answer>
    </Panel>
  )
}

function RetentionForm({ retention }: { retention: PanelRetention }) {
  const { settings, common } = useTexts()
  const words = settings.retention
  const format = useFormat()
  const toast = useToast()
  const confirm = useConfirm()
  const [events, setEvents] = useState<number | undefined>(retention.eventsDays)
  const [deliveries, setDeliveries] = useState<number | undefined>(retention.deliveriesDays)
  const save = useAppMutation<typeof panelChangeRetention>('PUT', '/retention', {
    refreshes: ['/retention'],
    onSuccess: () => toast.done(common.saved),
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const next = { eventsDays: Number(events), deliveriesDays: Number(deliveries) }
    const shorter = [
      ...(next.eventsDays < retention.eventsDays ? [[words.events, next.eventsDays] as const] : []),
      ...(next.deliveriesDays < retention.deliveriesDays ? [[words.deliveries, next.deliveriesDays] as const] : []),
    ]
    const isSure =
      shorter.length === 0 ||
      (await confirm({
        title: words.title2,
        text: (
          <Stack gap="xs">
            {shorter.map(([what, days]) => (
              <span key={what}>{words.confirm(what, format.number(days))}</span>
            ))}
          </Stack>
        ),
        confirmLabel: common.save,
        danger: true,
      }))
    if (isSure) save.mutate(next)
  }
  const input = {
    min: 1,
    max: longestDays,
    isWhole: true,
    required: true,
    withAsterisk: false,
    maw: 340,
    unit: words.days,
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={560}>
        <NumberField
          {...input}
          label={words.events}
          description={`${words.eventsText} ${words.usual(format.number(retention.usual.eventsDays))}`}
          value={events}
          onChange={setEvents}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
        />
        <NumberField
          {...input}
          label={words.deliveries}
          description={`${words.deliveriesText} ${words.usual(format.number(retention.usual.deliveriesDays))}`}
          value={deliveries}
          onChange={setDeliveries}
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
