import type { Stall } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { type ListedProvider, listProviders } from '#features/accounts/providers/list-providers.ts'
import { providerTitles } from '#features/accounts/providers/stored-provider.ts'
import { listTroubles } from '#features/deliveries/progress/read-troubles.ts'
import { formatMinute } from '../print.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** So long a provider may take nothing before somebody should know. */
const failingMs = 2 * 60_000

/** The providers of one app, by what is stored: nobody is asked. */
export async function checkProviders(
  ctx: Context,
  { mayBeSimulated }: { mayBeSimulated: boolean },
): Promise<Finding[]> {
  const { label } = ctx.app
  const providers = await listProviders(ctx)
  if (providers.length === 0)
    return [
      warning(
        'no-provider',
        `The app ${label} has no provider: only clients with a live connection get its messages.`,
        `peyk provider set --help`,
      ),
    ]
  const stalls = await listTroubles(ctx, { before: new Date(ctx.now().getTime() - failingMs) })
  return providers.map((provider) => {
    const finding = judgeProvider(
      label,
      provider,
      stalls.find((stall) => stall.provider === provider.provider),
    )
    const isFault = finding.state === 'fault'
    if (isFault || !provider.simulated || !mayBeSimulated) return finding
    return ok('simulated', `${provider.provider} of ${label}: simulated`)
  })
}

export function judgeProvider(label: string, listed: ListedProvider, stall: Stall | undefined): Finding {
  const { provider, paused, check } = listed
  const title = `${providerTitles[provider]} of the app ${label}`
  const again = `peyk provider check ${provider} --app ${label}`
  if (paused)
    return fault(
      'provider-paused',
      `${title} is paused since ${formatMinute(new Date(paused.at))}: ${paused.reason}`,
      `Correct the credentials (peyk provider set ${provider} --app ${label} …), or resume: peyk provider resume ${provider} --app ${label}`,
    )
  if (check && check.result !== 'taken')
    return fault('provider-refuses', `${title}: ${check.finding.text}`, `Correct the credentials, then ${again}`)
  if (stall)
    return fault(
      'provider-failing',
      `${title} has taken nothing since ${formatMinute(new Date(stall.since))} (${stall.reason}), and pushes wait for it.`,
      `See whether this machine reaches it: ${again}`,
    )
  if (!check) return warning('provider-unchecked', `${title} was never checked.`, again)
  return ok('provider', `${provider} of ${label}: checked ${formatMinute(new Date(check.at))}`)
}
