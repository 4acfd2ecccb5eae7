import { SimpleGrid, Tooltip } from '@mantine/core'
import type { DayMeasure, Overview } from '@peyk/contract'
import type { ReactNode } from 'react'
import { averageOf, changeOf, shareOf, totalOf, valuesOf } from '../../parts/numbers/measures.ts'
import { NumberCard } from '../../parts/numbers/NumberCard.tsx'
import type { Platform } from '../../parts/platforms.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'

/** The period in numbers, each against the period before. */
export function OverviewCards({ overview, platform }: { overview: Overview; platform: Platform | undefined }) {
  const { overview: t } = useTexts()
  const format = useFormat()
  const of = (name: DayMeasure) => totalOf(overview, name, platform)
  // A user of two platforms is counted on one of them.
  const activeName = platform ? 'activeInstallations' : 'activeUsers'
  const active = averageOf(overview, activeName, platform)
  const activeToday = valuesOf(overview, activeName, platform).at(-1) ?? 0
  const perDay = (count: number) => format.number(Math.round(count * 10) / 10)
  const [sent, delivered, opened] = [of('sent'), of('delivered'), of('opened')]
  const share = (part: number, whole: number) => format.percent(shareOf(part, whole) ?? 0)

  const counted = (label: string, name: DayMeasure, more: { isBad?: boolean; note?: ReactNode } = {}) => {
    const compared = of(name)
    return (
      <NumberCard
        label={label}
        value={format.number(compared.now)}
        change={changeOf(compared)}
        changeLabel={t.against(format.number(compared.now), format.number(compared.before))}
        {...more}
      />
    )
  }
  const [main, ...otherCurrencies] = overview.revenue
  const others = otherCurrencies.map(({ total, currency }) => format.money(total, currency))
  const revenueNotes = [
    main === undefined && t.noRevenue,
    others.length > 0 && t.moreCurrencies(format.list(others)),
    // It is not counted by platform.
    platform !== undefined && t.allPlatformsNote,
  ]
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      {counted(t.installs, 'installs')}
      <NumberCard
        label={platform ? t.activeDevices : t.activeUsers}
        value={perDay(active.now)}
        change={changeOf(active)}
        changeLabel={t.againstOver(perDay(active.now), perDay(active.before))}
        note={t.soFarToday(format.number(activeToday))}
      />
      {counted(t.visits, 'visits')}
      <NumberCard
        label={t.revenue}
        value={main ? <Amount {...main} /> : '–'}
        change={main && changeOf({ now: main.total, before: main.before })}
        {...(main && {
          changeLabel: t.against(format.money(main.total, main.currency), format.money(main.before, main.currency)),
        })}
        note={revenueNotes.filter(Boolean).join(' · ')}
      />
      {counted(t.sent, 'sent', { note: sent.now > 0 && t.deliveryRate(share(delivered.now, sent.now)) })}
      {counted(t.opened, 'opened', { note: delivered.now > 0 && t.openRate(share(opened.now, delivered.now)) })}
      {counted(t.uninstalls, 'uninstalls', {
        isBad: true,
        note: of('churned').now > 0 && t.churnNote(format.number(of('churned').now)),
      })}
      <NumberCard label={t.connected} value={format.number(overview.connected)} note={t.connectedNote} />
    </SimpleGrid>
  )
}

const largeAmount = 1_000

/** Large ones without the small change; the exact amount is told on demand. */
function Amount({ total, currency }: { total: number; currency: string }) {
  const format = useFormat()
  const exact = format.money(total, currency)
  const shown = Math.abs(total) < largeAmount ? exact : format.money(Math.round(total), currency)
  return (
    <Tooltip label={exact} disabled={shown === exact}>
      <span style={{ whiteSpace: 'nowrap' }}>{shown}</span>
    </Tooltip>
  )
}
