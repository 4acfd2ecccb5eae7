import { ActionIcon, Alert, Button, Group, MultiSelect, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { Category, changeApp, OwnApp } from '@peyk/contract'
import { IconAlertTriangle, IconPlus, IconTrash } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useAppMutation } from '#api/use-app-query.ts'
import { Fault } from '#parts/Fault.tsx'
import { NumberField } from '#parts/fields/NumberField.tsx'
import { useLeaveQuestion } from '#parts/hooks/use-leave-question.ts'
import { useToast } from '#parts/hooks/use-toast.ts'
import { textIn } from '#parts/text-in.ts'
import { useLanguage, useTexts } from '#texts/LanguageProvider.tsx'
import { type CapDraft, capOf, draftOfCap } from './cap-draft.ts'
import classes from './LimitsForm.module.css'

const mostCaps = 10
const usualNight = { from: '22:00', to: '08:00' }

export function LimitsForm({ app, categories }: { app: OwnApp; categories: readonly Category[] }) {
  const { rules, common } = useTexts()
  const { language } = useLanguage()
  const toast = useToast()
  const [isQuiet, setIsQuiet] = useState(app.quietHours !== undefined)
  const [hours, setHours] = useState(app.quietHours ?? usualNight)
  const [caps, setCaps] = useState<CapDraft[]>(() => app.caps.map(draftOfCap))
  const [control, setControl] = useState<number | undefined>(app.controlGroup)
  const [groups, setGroups] = useState<string | null>(app.groupCategory ?? null)
  const [above, setAbove] = useState<number | undefined>(app.approvalAbove)
  const save = useAppMutation<typeof changeApp>('PUT', '/app', {
    refreshes: ['/app'],
    onSuccess: () => toast.done(common.saved),
  })
  const change = {
    quietHours: isQuiet ? { from: hours.from, to: hours.to } : null,
    caps: caps.map(capOf),
    controlGroup: control ?? 0,
    groupCategory: groups,
    approvalAbove: above ?? null,
  }
  const stored = {
    quietHours: app.quietHours ? { from: app.quietHours.from, to: app.quietHours.to } : null,
    caps: app.caps.map(draftOfCap).map(capOf),
    controlGroup: app.controlGroup,
    groupCategory: app.groupCategory ?? null,
    approvalAbove: app.approvalAbove ?? null,
  }
  useLeaveQuestion(JSON.stringify(change) !== JSON.stringify(stored))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(change)
  }
  const changeCap = (index: number, changed: Partial<CapDraft>) =>
    setCaps(caps.map((cap, at) => (at === index ? { ...cap, ...changed } : cap)))
  return (
    <form onSubmit={submit}>
      <Stack maw={640} gap="lg">
        {(isQuiet || caps.length > 0 || (control ?? 0) > 0) && groups === null && (
          <Alert variant="light" color="orange" icon={<IconAlertTriangle />}>
            {categories.length === 0 ? rules.noCategory : rules.noGroupCategory}
          </Alert>
        )}
        <Part title={rules.quietHours}>
          <Stack gap="sm">
            <Switch
              label={rules.quiet}
              description={rules.quietText}
              checked={isQuiet}
              onChange={(event) => setIsQuiet(event.currentTarget.checked)}
            />
            {isQuiet && (
              <Group>
                {(['from', 'to'] as const).map((end) => (
                  <TextInput
                    key={end}
                    type="time"
                    label={rules[end]}
                    required
                    withAsterisk={false}
                    dir="ltr"
                    w={140}
                    value={hours[end]}
                    onChange={(event) => setHours({ ...hours, [end]: event.currentTarget.value })}
                    error={end === 'to' && hours.from === hours.to ? rules.sameTime : undefined}
                  />
                ))}
              </Group>
            )}
          </Stack>
        </Part>
        <Part title={rules.caps}>
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              {rules.capsText}
            </Text>
            {caps.map((cap, index) => (
              <CapLine
                key={cap.key}
                cap={cap}
                categories={categories}
                onChange={(changed) => changeCap(index, changed)}
                onRemove={() => setCaps(caps.filter((_, at) => at !== index))}
              />
            ))}
            {caps.length < mostCaps && (
              <Group>
                <Button
                  variant="default"
                  size="xs"
                  leftSection={<IconPlus size={14} />}
                  onClick={() => setCaps([...caps, draftOfCap({ count: 3, window: '24h' })])}
                >
                  {rules.addCap}
                </Button>
              </Group>
            )}
          </Stack>
        </Part>
        <Part title={rules.controlGroup}>
          <NumberField
            label={rules.control}
            description={rules.controlText}
            min={0}
            max={50}
            maw={340}
            unit="%"
            value={control}
            onChange={setControl}
          />
        </Part>
        {categories.length > 0 && (
          <Part title={rules.groups}>
            <Select
              label={rules.groupCategory}
              description={rules.groupCategoryText}
              placeholder={rules.transactional}
              data={categories.map(({ id, name }) => ({ value: id, label: textIn(name, language) }))}
              maw={340}
              clearable
              clearButtonProps={{ 'aria-label': rules.clearGroupCategory }}
              value={groups}
              onChange={setGroups}
            />
          </Part>
        )}
        <Part title={rules.approval}>
          <NumberField
            label={rules.approvalAbove}
            description={rules.approvalText}
            min={0}
            max={2_000_000_000}
            isWhole
            maw={340}
            placeholder={rules.approvalOff}
            value={above}
            onChange={setAbove}
          />
        </Part>
        {save.isError && <Fault error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={isQuiet && hours.from === hours.to}>
            {common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes.part}>
      <legend className={classes.title}>{title}</legend>
      {children}
    </fieldset>
  )
}

interface CapLineProps {
  cap: CapDraft
  categories: readonly Category[]
  onChange(changed: Partial<CapDraft>): void
  onRemove(): void
}

function CapLine({ cap, categories, onChange, onRemove }: CapLineProps) {
  const { rules } = useTexts()
  const { language } = useLanguage()
  return (
    <Group align="flex-end" gap="xs" role="group" aria-label={rules.cap}>
      <NumberField
        label={rules.atMost}
        min={1}
        max={100}
        isWhole
        required
        withAsterisk={false}
        w={96}
        value={cap.count}
        onChange={(count) => onChange({ count })}
      />
      <NumberField
        label={rules.within}
        min={1}
        max={cap.unit === 'd' ? 30 : 720}
        isWhole
        required
        withAsterisk={false}
        w={72}
        value={cap.length}
        onChange={(length) => onChange({ length })}
      />
      <Select
        aria-label={rules.unit}
        w={100}
        allowDeselect={false}
        data={[
          { value: 'h', label: rules.hours },
          { value: 'd', label: rules.days },
        ]}
        value={cap.unit}
        onChange={(unit) => onChange({ unit: unit as CapDraft['unit'] })}
      />
      <MultiSelect
        label={rules.ofCategories}
        placeholder={cap.categories.length === 0 ? rules.allCategories : ''}
        style={{ flex: '1 1 12rem' }}
        data={categories.map(({ id, name }) => ({ value: id, label: textIn(name, language) }))}
        value={cap.categories}
        onChange={(chosen) => onChange({ categories: chosen })}
      />
      <ActionIcon variant="subtle" color="gray" size="lg" onClick={onRemove} aria-label={rules.removeCap}>
        <IconTrash size={17} />
      </ActionIcon>
    </Group>
  )
}
