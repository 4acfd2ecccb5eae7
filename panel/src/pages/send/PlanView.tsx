import { Alert, Anchor, Code, Group, List, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import type { DryRun, SendPlan } from '@peyk/contract'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { PlatformMark } from '../../parts/PlatformMark.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import classes from './PlanView.module.css'

type Outcome = DryRun['outcomes'][number]

/** A dry run, to be read by people. */
export function PlanView({ plan: { dryRun } }: { plan: SendPlan }) {
  const { plan: texts } = useTexts().send
  const format = useFormat()
  const { count, outcomes, samples, promo, sms, faults } = dryRun
  const going = outcomes.filter(({ path }) => path !== 'ended')
  const leftOut = outcomes.filter(({ path }) => path === 'ended')
  return (
    <Stack>
      <Text fz="xl" fw={700} data-planned={count}>
        {count === 0 ? texts.nobody : texts.goes(count, format.number(count))}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Part title={texts.ways}>{going.length > 0 ? <Outcomes outcomes={going} total={count} /> : null}</Part>
        <Part title={texts.leftOut}>
          {leftOut.length > 0 ? (
            <Outcomes outcomes={leftOut} total={count} isLeftOut />
          ) : (
            <Text size="sm" c="dimmed">
              {texts.none}
            </Text>
          )}
        </Part>
        {promo && (
          <Part title={texts.promo}>
            <Text size="sm">
              {texts.promoNeeded(format.number(promo.needed), format.number(promo.campaignLeft + promo.globalLeft))}
            </Text>
            {promo.missing > 0 && (
              <Text size="sm" c="var(--mantine-color-error)">
                {texts.promoMissing(promo.missing, format.number(promo.missing))}
              </Text>
            )}
          </Part>
        )}
        {sms && (
          <Part title={texts.sms}>
            <Text size="sm">{texts.smsPhones(format.number(sms.withPhone), format.number(sms.users))}</Text>
          </Part>
        )}
      </SimpleGrid>
      {samples.length > 0 && <Sizes samples={samples} />}
      {faults.length > 0 ? (
        <Alert variant="light" color="orange" icon={<IconAlertTriangle />}>
          <Text size="sm" fw={600} mb={4}>
            {texts.warnings}
          </Text>
          <List size="sm" spacing={4}>
            {faults.map((fault) => (
              <List.Item key={fault}>{texts.fault(fault)}</List.Item>
            ))}
          </List>
        </Alert>
      ) : (
        <Group gap="xs" className={classes.ready}>
          <IconCircleCheck size={18} aria-hidden />
          <Text size="sm">{texts.ready}</Text>
        </Group>
      )}
    </Stack>
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
      {outcomes.map(({ path, why, count }) => (
        <li key={why}>
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <Text size="sm">{isLeftOut ? texts.why(why) : texts.paths[path]}</Text>
            <Text size="sm" fw={650} className={classes.number}>
              {format.number(count)}
            </Text>
          </Group>
          <div className={classes.track}>
            <div
              className={classes.bar}
              data-out={isLeftOut || undefined}
              style={{ inlineSize: `${(count / whole) * 100}%` }}
            />
          </div>
          {!isLeftOut && (path === 'inbox' || path === 'connection') && (
            <Text size="xs" c="dimmed">
              {texts.why(why)}
            </Text>
          )}
        </li>
      ))}
    </Stack>
  )
}

function Sizes({ samples }: { samples: DryRun['samples'] }) {
  const { plan: texts } = useTexts().send
  const format = useFormat()
  const first = samples.filter(
    (sample, index) =>
      samples.findIndex(({ provider, platform }) => provider === sample.provider && platform === sample.platform) ===
      index,
  )
  return (
    <Part title={texts.sizes}>
      <Table verticalSpacing={6} aria-label={texts.sizes} layout="fixed">
        <Table.Tbody>
          {first.map((sample) => (
            <Table.Tr key={`${sample.provider} ${sample.platform}`}>
              <Table.Td w="34%" style={{ verticalAlign: 'top' }}>
                <PlatformMark deviceType={sample.platform} />
                <Text size="xs" c="dimmed">
                  {texts.paths[sample.provider]}
                </Text>
              </Table.Td>
              <Table.Td>
                {sample.bytes !== undefined && (
                  <Text size="sm" className={classes.number}>
                    {texts.size(format.number(sample.bytes), format.number(sample.allowed))}
                  </Text>
                )}
                {sample.fault !== undefined && (
                  <Text size="sm" c="var(--mantine-color-error)">
                    {texts.refused(sample.fault)}
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
