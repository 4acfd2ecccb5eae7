import { Code, Stack, Text } from '@mantine/core'
import type { Message, MessageDetail } from '@peyk/contract'
import { Fragment, type ReactNode } from 'react'
import { AppLink } from '#parts/AppLink.tsx'
import { CategoryName } from '#parts/category/CategoryName.tsx'
import { useSayWhen } from '#parts/hooks/use-say-when.ts'
import { Mono } from '#parts/Mono.tsx'
import { LanguageName } from '#parts/notification-preview/LanguageName.tsx'
import { Panel } from '#parts/Panel.tsx'
import { SegmentSentence } from '#parts/segment-builder/SegmentSentence.tsx'
import { TemplateText } from '#parts/template-text/TemplateText.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { besideNotification, type TextOf } from './beside-notification.ts'
import { FactList } from './FactList.tsx'
import { useTestFacts } from './variants/use-test-facts.ts'

const flags = ['inApp', 'live', 'autoNotify', 'useAsAlert', 'silent'] as const

/** What has not been sent yet has no id, and no end. */
type Facts = Omit<Message, 'id' | 'expireAt'> &
  Partial<
    Pick<
      MessageDetail,
      'id' | 'expireAt' | 'users' | 'campaignName' | 'segmentName' | 'languages' | 'approvedBy' | 'approvedAt'
    >
  > & {
    /** How long it is kept after sending, if the time of expiry is not known yet. */
    lifeSeconds?: number
  }

export function MessageFacts({ message }: { message: Facts }) {
  const { messages: texts, series, rules } = useTexts()
  const format = useFormat()
  const { trackId, campaignName, channel, clientId, seriesId, fallback, throttle, quietHours, whenCapped } = message
  const { sms, data } = besideNotification(message)
  const set = [
    ...flags.filter((flag) => message[flag]).map((flag) => texts.flags[flag]),
    ...(quietHours === 'ignore' ? [texts.flags.quietHours] : []),
    ...(whenCapped === 'wait' ? [texts.flags.whenCapped] : []),
  ]
  const sayWhen = useSayWhen()
  const testFacts = useTestFacts(message)
  const facts: [ReactNode, ReactNode][] = [
    [texts.fact.audience, <Recipients key="to" message={message} />],
    [texts.fact.channel, channel === 'default' ? texts.defaultChannel : <Mono key="channel">{channel}</Mono>],
    [texts.fact.product, texts.products[message.product]],
  ]
  if (message.category !== undefined)
    facts.push([rules.category, <CategoryName key="category" id={message.category} />])
  else if (message.lifeSeconds !== undefined) facts.push([rules.category, rules.transactional])
  if (message.expireAt !== undefined) facts.push([texts.fact.expires, format.moment(message.expireAt)])
  if (message.lifeSeconds !== undefined)
    facts.push([texts.fact.expires, texts.expiresAfter(format.duration(message.lifeSeconds))])
  if (throttle) facts.push([texts.fact.throttle, texts.perMinute(format.number(throttle.perMinute))])
  if (fallback) {
    const condition = texts.smsWhen[fallback.policy](format.duration(fallback.delay))
    facts.push([texts.sms, <Sms key="sms" texts={sms} condition={condition} />])
  }
  if (message.localTime) facts.push([texts.fact.localTime, sayWhen(message.localTime)])
  if (trackId !== undefined) {
    const link = (
      <AppLink to={`/campaigns/${encodeURIComponent(trackId)}`} size="sm">
        {campaignName ?? trackId}
      </AppLink>
    )
    facts.push([texts.fact.campaign, link])
  }
  facts.push(...testFacts)
  const { languages } = message
  if (languages) facts.push([texts.fact.languages, <Languages key="languages" counts={languages} />])
  if (seriesId !== undefined) {
    const link = (
      <AppLink to={`/series/${seriesId}`} size="sm">
        {series.toSeries}
      </AppLink>
    )
    facts.push([series.repeats, link])
  }
  if (message.approvedBy !== undefined) {
    const when = message.approvedAt === undefined ? undefined : format.moment(message.approvedAt)
    facts.push([texts.fact.approvedBy, <Approval key="approval" by={message.approvedBy} when={when} />])
  }
  if (set.length > 0) facts.push([texts.fact.flags, format.list(set)])
  if (clientId !== undefined) facts.push([texts.fact.clientId, <Mono key="client">{clientId}</Mono>])
  if (message.id !== undefined) {
    const id = (
      <Text span size="xs">
        <Mono copy>{message.id}</Mono>
      </Text>
    )
    facts.push([texts.fact.id, id])
  }
  return (
    <Panel title={texts.facts}>
      <FactList facts={facts} />
      {data.map(({ value, ...of }) => (
        <Fragment key={JSON.stringify(of)}>
          <Text size="sm" c="dimmed" mt="sm" mb={4}>
            {texts.fact.data} <Whose of={of} />
          </Text>
          <Code block dir="ltr" mah={220} style={{ overflow: 'auto' }} tabIndex={0}>
            {JSON.stringify(value, null, 2)}
          </Code>
        </Fragment>
      ))}
    </Panel>
  )
}

/** The variant and language that a text is for. */
function Whose({ of: { variant, language } }: { of: TextOf }) {
  const { variants } = useTexts()
  if (variant === undefined && language === undefined) return null
  return (
    <>
      ({variant !== undefined && variants.variant(variant)}
      {variant !== undefined && language !== undefined && ', '}
      {language !== undefined && <LanguageName tag={language} />})
    </>
  )
}

function Sms({ texts, condition }: { texts: readonly (TextOf & { text: string })[]; condition: string }) {
  return (
    <Stack gap={4}>
      <Text span size="xs" c="dimmed">
        {condition}
      </Text>
      {texts.map(({ text, ...of }) => (
        <Text key={JSON.stringify(of)} span size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
          <TemplateText>{text}</TemplateText> <Whose of={of} />
        </Text>
      ))}
    </Stack>
  )
}

function Approval({ by, when }: { by: string; when: string | undefined }) {
  return (
    <Stack gap={0}>
      <bdi>{by}</bdi>
      {when !== undefined && (
        <Text span size="xs" c="dimmed">
          {when}
        </Text>
      )}
    </Stack>
  )
}

function Languages({ counts }: { counts: Record<string, number> }) {
  const format = useFormat()
  return (
    <Stack gap={0}>
      {Object.entries(counts).map(([tag, count]) => (
        <Text key={tag} span size="sm">
          <LanguageName tag={tag} />: {format.number(count)}
        </Text>
      ))}
    </Stack>
  )
}

function Recipients({ message }: { message: Facts }) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  const { audience, users = [], userCount, segment, segmentId, segmentName, target } = message
  if (audience === 'public') return texts.toEverybody
  if (audience === 'users') {
    const shown = users.slice(0, 5)
    const more = (userCount ?? 1) - shown.length
    return (
      <Stack gap={4}>
        {shown.map((user) => (
          <AppLink key={user} to={`/users/${encodeURIComponent(user)}`} size="sm" lh="24px" miw={24}>
            {user}
          </AppLink>
        ))}
        {more > 0 && (
          <Text span size="xs" c="dimmed">
            {texts.moreUsers(more, format.number(more))}
          </Text>
        )}
      </Stack>
    )
  }
  if (isEverybody(target)) return texts.toEverybody
  return (
    <Stack gap={2}>
      {segmentName !== undefined &&
        (segmentId === undefined ? (
          segmentName
        ) : (
          <AppLink to={`/segments/${segmentId}`} size="sm">
            {segmentName}
          </AppLink>
        ))}
      <Text span size="xs" c="dimmed" dir="auto">
        {segment === undefined ? <Mono>{JSON.stringify(target)}</Mono> : <SegmentSentence value={segment} />}
      </Text>
    </Stack>
  )
}

function isEverybody(target: unknown): boolean {
  return typeof target === 'object' && target !== null && Object.keys(target).length === 0
}
