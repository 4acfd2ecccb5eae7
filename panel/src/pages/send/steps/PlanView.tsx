import { Anchor, Code, Group, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import type { DryRun, SendPlan } from '@peyk/contract'
import { IconCircleCheck } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { CategoryName } from '#parts/category/CategoryName.tsx'
import { HourBars } from '#parts/charts/HourBars.tsx'
import { LanguageName } from '#parts/notification-preview/LanguageName.tsx'
import { PlatformMark } from '#parts/PlatformMark.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { PlannedVariants } from '../variants/PlannedVariants.tsx'
import { MissingUsers } from './MissingUsers.tsx'
import { PlanFaults } from './PlanFaults.tsx'
import classes from './PlanView.module.css'
import { type SaidFault, sayWhy } from './say-reason.ts'
import { findServed } from './served-users.ts'

type Outcome = DryRun['outcomes'][number]
type Sample = DryRun['samples'][number]

/** The result, in sight and with the focus. */
export function focusPlan(): void {
  const heading = document.querySelector<HTMLElement>('[data-planned]')
  heading?.focus({ preventScroll: true })
  heading?.scrollIntoView({ block: 'center' })
}

/** A dry run, to be read by people. */
export function PlanView({ plan, warnings }: { plan: SendPlan; warnings: readonly SaidFault[] }) {
  const { dryRun, unknown, unreached } = plan
  const { send, rules, variants: testTexts } = useTexts()
  const texts = send.plan
  const format = useFormat()
  const { count, outcomes, samples, promo, sms, languages, variants, takesSeconds, plan: hours = [] } = dryRun
  const going = outcomes.filter(({ path }) => path !== 'ended')
  const leftOut = outcomes.filter(({ path }) => path === 'ended')
  const codes = findServed(dryRun)
  const inInbox = going.reduce((sum, { path, count }) => sum + (path === 'inbox' ? count : 0), 0)
  const hasMissing = (unknown?.count ?? 0) + (unreached?.count ?? 0) > 0 || codes !== undefined
  useEffect(() => {
    if (plan) focusPlan()
  }, [plan])
  return (
    <Stack>
      <Title order={3} fz="xl" fw={700} data-planned={count} tabIndex={-1} className={classes.result}>
        {count === 0 || codes?.served === 0
          ? texts.nobody
          : codes
            ? texts.goesToSome(format.number(codes.served), format.number(codes.needed))
            : texts.goes(count, format.number(count))}
      </Title>
      {takesSeconds !== undefined && takesSeconds > 0 && (
        <Text size="sm">{send.pace.takes(format.duration(takesSeconds))}</Text>
      )}
      {dryRun.category !== undefined && (
        <Text size="sm">
          {rules.category}: <CategoryName id={dryRun.category} />
        </Text>
      )}
      {warnings.length > 0 && <PlanFaults warnings={warnings} />}
      {codes && (
        <Text size="sm" c="dimmed">
          {texts.ofAudience(format.number(count), format.number(codes.served), format.number(codes.needed))}
        </Text>
      )}
      {hours.length > 1 && (
        <Part title={texts.hours}>
          <HourBars hours={hours} label={texts.hours} />
        </Part>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Part title={texts.ways}>{going.length > 0 ? <Outcomes outcomes={going} total={count} /> : null}</Part>
        <Part title={texts.leftOut}>
          <Stack gap="xs">
            {leftOut.length > 0 && <Outcomes outcomes={leftOut} total={count} isLeftOut />}
            <MissingUsers {...plan} />
            {codes && (
              <Text size="sm" c="var(--mantine-color-error)">
                {texts.promoMissing(codes.missing, format.number(codes.missing))}
              </Text>
            )}
            {leftOut.length === 0 && !hasMissing && (
              <Text size="sm" c="dimmed">
                {inInbox > 0 ? texts.noneButInbox(inInbox, format.number(inInbox)) : texts.none}
              </Text>
            )}
          </Stack>
        </Part>
        {languages && (
          <Part title={send.languages.devices}>
            <Languages counts={languages} total={count} />
          </Part>
        )}
        {variants && (
          <Part title={testTexts.plan.title}>
            <PlannedVariants counts={variants} test={dryRun.test} />
          </Part>
        )}
        <HeldBack dryRun={dryRun} />
        {promo && (
          <Part title={texts.promo}>
            <Text size="sm">
              {texts.promoNeeded(format.number(promo.needed), format.number(promo.campaignLeft + promo.globalLeft))}
            </Text>
          </Part>
        )}
        {sms && (
          <Part title={texts.sms}>
            <Text size="sm">{texts.smsPhones(format.number(sms.withPhone), format.number(sms.users))}</Text>
          </Part>
        )}
      </SimpleGrid>
      {samples.length > 0 && <Sizes samples={samples} />}
      {warnings.length === 0 && !hasMissing && (
        <Group gap="xs" className={classes.ready}>
          <IconCircleCheck size={18} aria-hidden />
          <Text size="sm">{texts.ready}</Text>
        </Group>
      )}
    </Stack>
  )
}

/** Whom the limits of the app keep it from, now or for good. */
function HeldBack({ dryRun: { waiting, ends } }: { dryRun: DryRun }) {
  const { rules } = useTexts()
  const format = useFormat()
  const counts: [keyof typeof rules.heldBack, number][] = [
    ['quietHours', waiting?.quietHours ?? 0],
    ['waitCapped', waiting?.capped ?? 0],
    ['control', ends?.control ?? 0],
    ['unsubscribed', ends?.unsubscribed ?? 0],
    ['capped', ends?.capped ?? 0],
    ['expired', ends?.expired ?? 0],
  ]
  const told = counts.filter(([, count]) => count > 0)
  if (told.length === 0) return null
  return (
    <Part title={rules.heldBackTitle}>
      <Stack gap={4} component="ul" className={classes.list}>
        {told.map(([what, count]) => (
          <Text key={what} component="li" size="sm">
            {rules.heldBack[what](format.number(count))}
          </Text>
        ))}
      </Stack>
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Title order={3} size="h6" mb={6}>
        {title}
      </Title>
      {children}
    </div>
  )
}

function Outcomes({ outcomes, total, isLeftOut }: { outcomes: Outcome[]; total: number; isLeftOut?: boolean }) {
  const { plan: texts } = useTexts().send
  const format = useFormat()
  const whole = Math.max(1, total, ...outcomes.map(({ count }) => count))
  return (
    <Stack gap="sm" component="ul" className={classes.list}>
      {outcomes.map((outcome) => (
        <li key={outcome.why}>
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <Text size="sm">{isLeftOut ? sayWhy(outcome, texts.reasons) : texts.paths[outcome.path]}</Text>
            <Text size="sm" fw={650} className={classes.number}>
              {format.number(outcome.count)}
            </Text>
          </Group>
          <div className={classes.track}>
            <div
              className={classes.bar}
              data-out={isLeftOut || undefined}
              style={{ inlineSize: `${(outcome.count / whole) * 100}%` }}
            />
          </div>
          {(outcome.path === 'inbox' || outcome.path === 'connection') && (
            <Text size="xs" c="dimmed">
              {sayWhy(outcome, texts.reasons)}
            </Text>
          )}
        </li>
      ))}
    </Stack>
  )
}

function Languages({ counts, total }: { counts: Record<string, number>; total: number }) {
  const format = useFormat()
  const whole = Math.max(1, total)
  return (
    <Stack gap="sm" component="ul" className={classes.list}>
      {Object.entries(counts).map(([tag, count]) => (
        <li key={tag}>
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <Text size="sm">
              <LanguageName tag={tag} />
            </Text>
            <Text size="sm" fw={650} className={classes.number}>
              {format.number(count)}
            </Text>
          </Group>
          <div className={classes.track}>
            <div className={classes.bar} style={{ inlineSize: `${(count / whole) * 100}%` }} />
          </div>
        </li>
      ))}
    </Stack>
  )
}

function Sizes({ samples }: { samples: DryRun['samples'] }) {
  const { plan: texts } = useTexts().send
  const format = useFormat()
  const { variants } = useTexts()
  const keyOf = ({ provider, platform, variant, language }: Sample) => [provider, platform, variant, language].join(' ')
  const first = samples.filter(
    (sample, index) => samples.findIndex((other) => keyOf(other) === keyOf(sample)) === index,
  )
  return (
    <Part title={texts.sizes}>
      <Table verticalSpacing={6} aria-label={texts.sizes} layout="fixed">
        <Table.Tbody>
          {first.map((sample) => (
            <Table.Tr key={keyOf(sample)}>
              <Table.Td w="34%" style={{ verticalAlign: 'top' }}>
                <PlatformMark deviceType={sample.platform} />
                <Text size="xs" c="dimmed">
                  {texts.paths[sample.provider]}
                </Text>
                {sample.variant !== undefined && (
                  <Text size="xs" c="dimmed">
                    {variants.variant(sample.variant)}
                  </Text>
                )}
                {sample.language !== undefined && (
                  <Text size="xs" c="dimmed">
                    <LanguageName tag={sample.language} />
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                {sample.bytes !== undefined && (
                  <Text size="sm" className={classes.number}>
                    {texts.size(format.number(sample.bytes), format.number(sample.allowed))}
                  </Text>
                )}
                {sample.fault !== undefined && (
                  <Text size="sm" c="var(--mantine-color-error)">
                    {(sample.bytes ?? 0) > sample.allowed ? (
                      texts.tooLarge
                    ) : (
                      <>
                        {texts.refused} <bdi>{sample.fault}</bdi>
                      </>
                    )}
                  </Text>
                )}
                {sample.payload !== undefined && <Payload payload={sample.payload} />}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Part>
  )
}

function Payload({ payload }: { payload: unknown }) {
  const { plan: texts } = useTexts().send
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Anchor component="button" type="button" size="xs" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? texts.hidePayload : texts.payload}
      </Anchor>
      {isOpen && (
        <Code block dir="ltr" className={classes.payload} tabIndex={0}>
          {JSON.stringify(payload, null, 2)}
        </Code>
      )}
    </>
  )
}
