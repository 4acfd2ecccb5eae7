import { Button, Group, Text } from '@mantine/core'
import type { Warning } from '@peyk/contract'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useApp } from '../../api/use-app.ts'
import { useLinkTo } from '../../parts/AppLink.tsx'
import { useConfirm } from '../../parts/Confirm.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { Panel } from '../../parts/Panel.tsx'
import { Quote } from '../../parts/Quote.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { useClearAlert, useSettleHeld } from './queries.ts'
import classes from './Warnings.module.css'

/** What needs a person: what it is, and what to do about it. */
export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  const { overview: t } = useTexts()
  if (warnings.length === 0) return null
  return (
    <Panel title={t.attention}>
      <ul className={classes.list}>
        {warnings.map((warning) => (
          <OneWarning key={keyOf(warning)} warning={warning} />
        ))}
      </ul>
    </Panel>
  )
}

function keyOf(warning: Warning): string {
  switch (warning.kind) {
    case 'alert':
      return warning.alert.id
    case 'approvals':
      return warning.kind
    case 'promo-low':
      return `promo ${warning.trackId}`
    case 'webhook-failing':
      return warning.webhookId
    default:
      return `${warning.kind} ${warning.provider}`
  }
}

function OneWarning({ warning }: { warning: Warning }) {
  switch (warning.kind) {
    case 'provider-paused':
      return <PausedProvider warning={warning} />
    case 'provider-failing':
      return <FailingProvider warning={warning} />
    case 'credentials-refused':
      return <RefusedCredentials warning={warning} />
    case 'credentials-missing':
      return <MissingCredentials warning={warning} />
    case 'webhook-failing':
      return <FailingWebhook warning={warning} />
    case 'uninstalls-held':
      return <HeldUninstalls warning={warning} />
    case 'approvals':
      return <WaitingApprovals warning={warning} />
    case 'promo-low':
      return <LowCodes warning={warning} />
    case 'alert':
      return <OpenAlert warning={warning} />
  }
}

type Of<Kind extends Warning['kind']> = { warning: Extract<Warning, { kind: Kind }> }

function Line({ title, text, action }: { title: string; text: ReactNode; action?: ReactNode }) {
  return (
    <li className={classes.item}>
      <IconAlertTriangle size={20} className={classes.sign} aria-hidden />
      <div>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed" component="div">
          {text}
        </Text>
      </div>
      {action}
    </li>
  )
}

/** Where an admin does something about it. */
function ToSettings({ section, children }: { section: 'providers' | 'webhooks'; children: string }) {
  const { may } = useApp()
  const linkTo = useLinkTo()
  if (!may('settings')) return null
  return (
    <Button variant="default" size="xs" renderRoot={linkTo(`/settings/${section}`)}>
      {children}
    </Button>
  )
}

function PausedProvider({ warning: { provider, reason } }: Of<'provider-paused'>) {
  const { overview: t } = useTexts()
  const { may } = useApp()
  return (
    <Line
      title={t.providerPaused(t.providers[provider] ?? provider)}
      text={
        <>
          {t.providerPausedText} <Quote>{reason}</Quote> {!may('settings') && t.askAdmin}
        </>
      }
      action={<ToSettings section="providers">{t.toProviders}</ToSettings>}
    />
  )
}

function RefusedCredentials({ warning: { provider, at } }: Of<'credentials-refused'>) {
  const { overview: t } = useTexts()
  const format = useFormat()
  return (
    <Line
      title={t.credentialsRefused(t.providers[provider] ?? provider)}
      text={t.credentialsRefusedText(format.moment(at))}
      action={<ToSettings section="providers">{t.toProviders}</ToSettings>}
    />
  )
}

function MissingCredentials({ warning: { provider } }: Of<'credentials-missing'>) {
  const { overview: t } = useTexts()
  return (
    <Line
      title={t.credentialsMissing(t.providers[provider] ?? provider)}
      text={t.credentialsMissingText}
      action={<ToSettings section="providers">{t.addCredentials}</ToSettings>}
    />
  )
}

function FailingWebhook({ warning: { host, since, waiting } }: Of<'webhook-failing'>) {
  const { overview: t } = useTexts()
  const format = useFormat()
  return (
    <Line
      title={t.webhookFailing(host, format.moment(since))}
      text={t.webhookFailingText(waiting, format.number(waiting))}
      action={<ToSettings section="webhooks">{t.toWebhooks}</ToSettings>}
    />
  )
}

function FailingProvider({ warning: { provider, since, reason } }: Of<'provider-failing'>) {
  const { overview: t, reach } = useTexts()
  const format = useFormat()
  return (
    <Line
      title={t.providerFailing(t.providers[provider] ?? provider, format.moment(since))}
      text={`${reach.troubles[reason]} ${t.providerFailingText}`}
      action={<ToSettings section="providers">{t.providerPage}</ToSettings>}
    />
  )
}

function HeldUninstalls({ warning: { provider, count } }: Of<'uninstalls-held'>) {
  const { overview: t } = useTexts()
  const format = useFormat()
  const { may } = useApp()
  const confirm = useConfirm()
  const toast = useToast()
  const settle = useSettleHeld()
  const shown = format.number(count)
  const decide = async (decision: 'apply' | 'discard') => {
    const isGone = decision === 'apply'
    const isSure = await confirm({
      title: isGone ? t.heldGoneTitle(shown) : t.heldKeepTitle(shown),
      text: isGone ? t.heldGoneText : t.heldKeepText,
      confirmLabel: isGone ? t.heldGone : t.heldKeep,
      danger: isGone,
    })
    if (isSure) await settle.mutateAsync({ provider, decision }).then(() => toast.done(t.heldDone), toast.failed)
  }
  return (
    <Line
      title={t.held(t.providers[provider] ?? provider, shown)}
      text={t.heldText}
      action={
        may('operate') && (
          <Group gap="xs">
            <Button variant="default" size="xs" loading={settle.isPending} onClick={() => void decide('discard')}>
              {t.heldKeep}
            </Button>
            <Button
              variant="light"
              color="red"
              size="xs"
              loading={settle.isPending}
              onClick={() => void decide('apply')}
            >
              {t.heldGone}
            </Button>
          </Group>
        )
      }
    />
  )
}

function WaitingApprovals({ warning: { count } }: Of<'approvals'>) {
  const { overview: t } = useTexts()
  const format = useFormat()
  const linkTo = useLinkTo()
  return (
    <Line
      title={t.approvals(count, format.number(count))}
      text={t.approvalsText}
      action={
        <Button variant="default" size="xs" renderRoot={linkTo('/messages?kind=scheduled')}>
          {t.toApprovals}
        </Button>
      }
    />
  )
}

function LowCodes({ warning: { trackId, left, codes } }: Of<'promo-low'>) {
  const { overview: t } = useTexts()
  const format = useFormat()
  const { may } = useApp()
  const linkTo = useLinkTo()
  return (
    <Line
      title={trackId === '' ? t.promoLowGlobal : t.promoLow(trackId)}
      text={
        left === 0 ? t.promoOutText(format.number(codes)) : t.promoLowText(format.number(left), format.number(codes))
      }
      action={
        may('edit-campaigns') && (
          <Button
            variant="default"
            size="xs"
            renderRoot={linkTo(trackId === '' ? '/promo' : `/campaigns/${encodeURIComponent(trackId)}`)}
          >
            {t.toCodes}
          </Button>
        )
      }
    />
  )
}

const places = {
  'webhook-disabled': { path: '/settings/webhooks', name: 'toWebhooks' },
  'too-many-value-names': { path: '/events', name: 'toEvents' },
  'quota-near': { path: '/settings/usage', name: 'toUsage' },
  'quota-reached': { path: '/settings/usage', name: 'toUsage' },
} as const
/** What is done about it is not done in the panel. */
const withoutPlace = ['backup-failed', 'restored', 'month-missing', 'role-missing']
const defaultPlace = { path: '/settings/providers', name: 'toProviders' } as const

function OpenAlert({ warning: { alert } }: Of<'alert'>) {
  const { overview: t } = useTexts()
  const { may } = useApp()
  const linkTo = useLinkTo()
  const toast = useToast()
  const clear = useClearAlert()
  const format = useFormat()
  const say = t.alertTexts[alert.kind]
  const place = places[alert.kind as keyof typeof places] ?? defaultPlace
  return (
    <Line
      title={t.alerts[alert.kind] ?? t.alert}
      text={
        say === undefined ? (
          <Quote>{alert.text}</Quote>
        ) : (
          say({
            limit: format.number(Number(alert.details.dailyLimit ?? alert.details.limit ?? 0)),
            host: String(alert.details.host ?? ''),
            provider: t.providers[alert.subject] ?? alert.subject,
            event: alert.subject,
            role: alert.subject,
          })
        )
      }
      action={
        <Group gap="xs">
          {may('settings') && !withoutPlace.includes(alert.kind) && (
            <Button variant="default" size="xs" renderRoot={linkTo(place.path)}>
              {t[place.name]}
            </Button>
          )}
          {may('operate') && (
            <Button
              variant="subtle"
              size="xs"
              loading={clear.isPending}
              onClick={() => void clear.mutateAsync({ id: alert.id }).then(() => toast.done(t.cleared), toast.failed)}
            >
              {t.clear}
            </Button>
          )}
        </Group>
      }
    />
  )
}
