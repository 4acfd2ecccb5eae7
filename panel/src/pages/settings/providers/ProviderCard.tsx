import { Alert, Button, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { checkProvider, Provider, removeProvider, resumeProvider } from '@peyk/contract'
import {
  type Icon,
  IconBrandAndroid,
  IconBrandApple,
  IconMessage,
  IconPlayerPause,
  IconStethoscope,
  IconWorld,
} from '@tabler/icons-react'
import { useAppMutation } from '#api/use-app-query.ts'
import { useConfirm } from '#parts/Confirm.tsx'
import { Fault } from '#parts/Fault.tsx'
import { useToast } from '#parts/hooks/use-toast.ts'
import { Panel } from '#parts/Panel.tsx'
import { Quote } from '#parts/Quote.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import type { ProviderName } from '../queries.ts'
import { LastCheck, ProviderState } from './CheckState.tsx'
import classes from './ProviderCard.module.css'
import { ProviderDialog } from './ProviderDialog.tsx'

const icons: Record<ProviderName, Icon> = {
  fcm: IconBrandAndroid,
  apns: IconBrandApple,
  webpush: IconWorld,
  sms: IconMessage,
}

interface ProviderCardProps {
  name: ProviderName
  provider: Provider | undefined
}

export function ProviderCard({ name, provider }: ProviderCardProps) {
  const { settings } = useTexts()
  const words = settings.providers
  const [isOpen, dialog] = useDisclosure(false)
  const Sign = icons[name]
  return (
    <Panel aria-label={words.services[name]}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Group gap="sm" wrap="nowrap">
            <ThemeIcon size={40} radius="md" variant="light" aria-hidden>
              <Sign size={22} stroke={1.7} />
            </ThemeIcon>
            <div>
              <Title order={3} size="h5">
                {words.names[name]}
              </Title>
              <Text size="sm" c="dimmed">
                {words.services[name]}
              </Text>
            </div>
          </Group>
          <ProviderState provider={provider} />
        </Group>
        {provider?.paused && <Paused name={name} paused={provider.paused} />}
        {provider === undefined ? (
          <>
            <Text size="sm">{words.notSetText[name]}</Text>
            <Group>
              <Button onClick={dialog.open}>{words.set}</Button>
            </Group>
          </>
        ) : (
          // New credentials are others: nothing that was found of the old ones stays.
          <Credentials key={provider.setAt} name={name} provider={provider} onChange={dialog.open} />
        )}
      </Stack>
      <ProviderDialog name={name} provider={provider} isOpen={isOpen} onClose={dialog.close} />
    </Panel>
  )
}

function Credentials({ name, provider, onChange }: ProviderCardProps & { provider: Provider; onChange(): void }) {
  const { settings } = useTexts()
  const words = settings.providers
  const check = useAppMutation<typeof checkProvider>('POST', `/providers/${name}/check`, { refreshes: ['/providers'] })
  return (
    <>
      <Facts provider={provider} />
      <LastCheck provider={provider} result={check.data} />
      {check.isError && <Fault error={check.error} />}
      <Group gap="xs">
        <Button variant="default" onClick={onChange}>
          {words.change}
        </Button>
        <Button
          variant="default"
          leftSection={<IconStethoscope size={16} />}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          {words.check}
        </Button>
        <RemoveButton name={name} />
      </Group>
    </>
  )
}

function Facts({ provider: { shown, setAt } }: { provider: Provider }) {
  const { settings } = useTexts()
  const format = useFormat()
  const words = settings.providers
  return (
    <div>
      <dl className={classes.facts}>
        {Object.entries(shown).map(([name, value]) => (
          <FactRow key={name} name={words.shown[name] ?? name}>
            {typeof value === 'number' ? format.number(value) : String(value)}
          </FactRow>
        ))}
      </dl>
      <Text size="xs" c="dimmed" mt={6}>
        {words.since(format.moment(setAt))}
      </Text>
    </div>
  )
}

function FactRow({ name, children }: { name: string; children: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </>
  )
}

function Paused({ name, paused }: { name: ProviderName; paused: { at: number; reason: string } }) {
  const { settings } = useTexts()
  const format = useFormat()
  const toast = useToast()
  const words = settings.providers
  const resume = useAppMutation<typeof resumeProvider>('POST', `/providers/${name}/resume`, {
    refreshes: ['/providers', '/overview'],
    onSuccess: () => toast.done(words.resumed(words.services[name] ?? name)),
  })
  return (
    <Alert color="red" variant="light" icon={<IconPlayerPause />} title={words.pausedSince(format.ago(paused.at))}>
      <Text size="sm">
        {words.pausedBecause} <Quote>{paused.reason}</Quote>
      </Text>
      {resume.isError && <Fault error={resume.error} />}
      <Button size="xs" mt="sm" variant="default" loading={resume.isPending} onClick={() => resume.mutate()}>
        {words.resume}
      </Button>
    </Alert>
  )
}

function RemoveButton({ name }: { name: ProviderName }) {
  const { settings } = useTexts()
  const words = settings.providers
  const confirm = useConfirm()
  const toast = useToast()
  const service = words.services[name] ?? name
  const isForced = name === 'webpush'
  const remove = useAppMutation<typeof removeProvider>('DELETE', `/providers/${name}${isForced ? '?force=true' : ''}`, {
    refreshes: ['/providers'],
  })
  const ask = async () => {
    const isSure = await confirm({
      title: words.removeTitle(service),
      text: isForced ? words.removeWebPush : words.removeText,
      confirmLabel: words.remove,
      danger: true,
      ...(isForced && { typeToConfirm: service }),
    })
    if (isSure) await remove.mutateAsync().then(() => toast.done(words.removed(service)), toast.failed)
  }
  return (
    <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => void ask()}>
      {words.remove}
    </Button>
  )
}
