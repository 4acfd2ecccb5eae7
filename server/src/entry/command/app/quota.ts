import { type QuotaName, quotaNames } from '#features/accounts/quotas/quota.ts'
import { readQuotaStates } from '#features/accounts/quotas/read-quota-states.ts'
import { setQuotas } from '#features/accounts/quotas/set-quotas.ts'
import { shownQuotas } from '#features/statistics/usage/shown-quotas.ts'
import type { Command } from '../command.ts'
import { print, printJson } from '../print.ts'
import { withApp } from '../with-app.ts'
import { describeQuotas } from './describe-usage.ts'
import { readAmount } from './read-amount.ts'

const optionOf: Record<QuotaName, string> = {
  messages: 'messages-per-month',
  deliveries: 'deliveries-per-month',
  events: 'events-per-month',
  sms: 'sms-per-month',
  installations: 'installations',
}

export const command: Command = {
  arguments: [{ name: 'label', summary: "the app's id" }],
  options: {
    'messages-per-month': { value: 'number|none', summary: 'sends, however many devices each goes to' },
    'deliveries-per-month': { value: 'number|none', summary: 'devices that messages go to: one each' },
    'events-per-month': { value: 'number|none', summary: 'events that are stored' },
    'sms-per-month': { value: 'number|none', summary: 'SMS that are sent' },
    installations: { value: 'number|none', summary: 'installations there may be at a time' },
    json: { summary: 'print JSON' },
  },
  notes: `Without an option it shows the quotas. What is over a quota is refused with 429 quota-exceeded; what was accepted is sent.
Processes that run see a change within five seconds. A month is one of UTC. May run while the service runs.`,
  examples: [
    'peyk app quota shop --deliveries-per-month 1M --events-per-month 5M',
    'peyk app quota shop --installations 50K --sms-per-month 500',
    'peyk app quota shop --sms-per-month none',
    'peyk app quota shop',
  ],

  async run(input) {
    const label = input.words[0] as string
    const given = quotaNames.flatMap((name): [QuotaName, number | null][] => {
      const text = input.text(optionOf[name])
      return text === undefined ? [] : [[name, readAmount(optionOf[name], text)]]
    })
    const quotas = await withApp(label, async (ctx) => {
      if (given.length > 0) await setQuotas(ctx, Object.fromEntries(given))
      const state = (await readQuotaStates(ctx.store)).get(ctx.app.id)
      return state ? shownQuotas(state) : []
    })
    if (input.isOn('json')) printJson(quotas)
    else print(describeQuotas(label, quotas).join('\n'))
    return undefined
  },
}
