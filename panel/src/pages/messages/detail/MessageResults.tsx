import { Text } from '@mantine/core'
import type { MessageDetail } from '@peyk/contract'
import type { ReactNode } from 'react'
import { Mono } from '#parts/Mono.tsx'
import { Panel } from '#parts/Panel.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { buttonLabels } from './button-labels.ts'
import { FactList } from './FactList.tsx'
import { Revenue } from './Revenue.tsx'
import { saySpan } from './variants/say-results.ts'

/** Users who reached the goal. No other event is a conversion. */
export function Conversions({ test }: { test: NonNullable<MessageDetail['test']> }) {
  const { messages: texts, variants: words } = useTexts()
  const format = useFormat()
  const { goal, control, variants, winner } = test
  if (!goal) return null
  const say = ({ reached, of }: { reached: number; of: number }) =>
    texts.reachedOf(format.number(reached), format.number(of), format.percent(of === 0 ? 0 : reached / of))
  const all = variants.reduce(
    (sum, variant) => ({
      reached: sum.reached + (variant.goal?.reached ?? 0),
      of: sum.of + (variant.goal?.of ?? 0),
    }),
    { reached: 0, of: 0 },
  )
  const facts: [ReactNode, ReactNode][] = [[texts.converted, say(all)]]
  if (control?.goal) facts.push([words.results.control, say(control.goal)])
  return (
    <Panel
      title={texts.conversions}
      lead={texts.conversionsLead(goal.event, saySpan(goal.within, format), winner !== undefined)}
    >
      <FactList facts={facts} />
    </Panel>
  )
}

/** Results of a message: events and revenue, pressed buttons, codes, and SMS. */
export function MessageResults({ message }: { message: MessageDetail }) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  const { influenced, actions, fallbackCounts, codes } = message
  const buttons = buttonLabels(message)
  const facts: [ReactNode, ReactNode][] = [
    [
      texts.events,
      <>
        <Text span fw={650}>
          {format.number(influenced.events)}
        </Text>
        {influenced.directEvents > 0 && (
          <Text size="xs" c="dimmed">
            {texts.directEvents(format.number(influenced.directEvents))}
          </Text>
        )}
      </>,
    ],
    [texts.revenue, <Revenue key="revenue" amounts={influenced.revenue} />],
  ]
  if (codes) {
    const given = format.number(codes.given)
    facts.push([texts.fact.codes, codes.isMore ? texts.atLeast(given) : given])
  }
  return (
    <Panel title={texts.results} lead={message.goal ? texts.resultsLead : `${texts.resultsLead} ${texts.noGoal}`}>
      <FactList facts={facts} />
      {Object.keys(actions).length > 0 && (
        <Counts
          title={texts.actions}
          counts={Object.entries(actions).map(([action, count]) => [
            buttons.has(action) ? (
              <bdi key={action} title={action}>
                {buttons.get(action)}
              </bdi>
            ) : action === '' ? (
              texts.actionNoId
            ) : (
              <Mono key={action}>{action}</Mono>
            ),
            count,
          ])}
        />
      )}
      {fallbackCounts && (
        <Counts
          title={texts.sms}
          counts={Object.entries(fallbackCounts).map(([state, count]) => [texts.smsStates[state] ?? state, count])}
        />
      )}
    </Panel>
  )
}

function Counts({ title, counts }: { title: string; counts: [ReactNode, number][] }) {
  const format = useFormat()
  return (
    <>
      <Text fw={600} size="sm" mt="md" mb={4}>
        {title}
      </Text>
      <FactList facts={counts.map(([name, count]) => [name, format.number(count)])} />
    </>
  )
}
