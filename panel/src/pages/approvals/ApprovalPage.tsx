import { Alert, Grid, Group, Stack, Text } from '@mantine/core'
import type { ApprovalDetail } from '@peyk/contract'
import { IconAlertTriangle, IconMessageOff } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiFault } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { Answer } from '../../parts/Answer.tsx'
import { AppLink } from '../../parts/AppLink.tsx'
import { BackLink } from '../../parts/BackLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { useSayWhen, whenOf } from '../../parts/hooks/use-say-when.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { Quote } from '../../parts/Quote.tsx'
import { useRuleWords } from '../../parts/repeat/use-rule-words.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { MessageFacts } from '../messages/detail/MessageFacts.tsx'
import { MessagePreview } from '../messages/detail/MessagePreview.tsx'
import { titleOf } from '../messages/message-title.ts'
import { ApprovalActions } from './ApprovalActions.tsx'
import { ApprovalBadge } from './ApprovalBadge.tsx'
import { MessageLinks } from './MessageLinks.tsx'
import { useApproval } from './queries.ts'

/** A send that another member has to approve: what it says, to whom it goes, and the decision. */
export function ApprovalPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { approvals: texts } = useTexts()
  const approval = useApproval(id)
  const back = <BackLink to="/messages?kind=scheduled">{texts.toList}</BackLink>
  if (approval.error instanceof ApiFault && approval.error.status === 404) {
    return (
      <>
        <PageHead title={texts.title} above={back} />
        <Panel>
          <EmptyState icon={IconMessageOff} title={texts.notThere} text={texts.notThereText} />
        </Panel>
      </>
    )
  }
  return (
    <>
      {approval.data === undefined && <PageHead title={texts.title} above={back} />}
      <Answer of={approval}>{(data) => <Shown approval={data} above={back} />}</Answer>
    </>
  )
}

function Shown({ approval, above }: { approval: ApprovalDetail; above: ReactNode }) {
  const { messages } = useTexts()
  const format = useFormat()
  const { message, state, users } = approval
  const { id: _id, expireAt, ...facts } = message
  // Show a duration: when it expires depends on when it is approved.
  const lifeSeconds = Math.round((expireAt - message.createdAt) / 1_000)
  const count = approval.now?.count ?? approval.count
  return (
    <>
      <PageHead
        title={titleOf(message) ?? messages.noText}
        above={above}
        lead={
          <Group gap="md">
            <ApprovalBadge state={state} />
            <Text span size="sm">
              {messages.devices(count, format.number(count))}
            </Text>
          </Group>
        }
        actions={state === 'waiting' && <ApprovalActions approval={approval} />}
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack>
            <Warned approval={approval} />
            <Panel>
              <Words approval={approval} />
            </Panel>
            <MessageFacts message={{ ...facts, lifeSeconds, ...(users && { users }) }} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack>
            <MessagePreview message={message} look={approval.now?.look} />
            <MessageLinks message={message} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  )
}

/** What whoever decides should know first. */
function Warned({ approval: { count, now, blocked } }: { approval: ApprovalDetail }) {
  const { approvals: texts } = useTexts()
  const format = useFormat()
  const icon = <IconAlertTriangle />
  return (
    <>
      {blocked !== undefined && (
        <Alert variant="light" color="red" icon={icon} title={texts.blocked}>
          <Quote>{blocked}</Quote>
        </Alert>
      )}
      {now?.hasChanged && (
        <Alert variant="light" color="orange" icon={icon}>
          {texts.changed}
        </Alert>
      )}
      {now?.hasGrown && (
        <Alert variant="light" color="orange" icon={icon}>
          {texts.grown(format.number(count), format.number(now.count))}
        </Alert>
      )}
    </>
  )
}

function Words({ approval }: { approval: ApprovalDetail }) {
  const { approvals: texts } = useTexts()
  const { may } = useApp()
  const format = useFormat()
  const sayWhen = useSayWhen()
  const sayRule = useRuleWords()
  const { message, state, repeat, askedBy, askedAt, isOwn, lapsesAt, moves, movesFrom } = approval
  const when = whenOf(message)
  const isGroupLater = message.audience !== 'users' && (when !== undefined || repeat !== undefined)
  return (
    <Stack gap={4}>
      <Text fz="lg" fw={600}>
        {(moves === undefined ? texts.asked : texts.askedToMove)(askedBy, format.ago(askedAt))}
      </Text>
      {state === 'waiting' ? (
        <>
          <Text size="sm">{when === undefined ? texts.goesNow : texts.goesAt(sayWhen(when))}</Text>
          {repeat && (
            <Text size="sm">
              {sayRule({ ...repeat, zone: repeat.zone ?? 'UTC' }, message.localTime ?? message.sendAt ?? askedAt)}
            </Text>
          )}
          {movesFrom && <Text size="sm">{texts.movesFrom(sayWhen(whenOf(movesFrom)))}</Text>}
          {isGroupLater && <Text size="sm">{texts.audienceLater}</Text>}
          <Text size="sm" c="dimmed">
            {texts.lapses(format.moment(lapsesAt))} {isOwn ? texts.own : !may('send-to-many') && texts.mayNot}
          </Text>
        </>
      ) : (
        <Decided approval={approval} />
      )}
    </Stack>
  )
}

function Decided({ approval }: { approval: ApprovalDetail }) {
  const { approvals: texts } = useTexts()
  const format = useFormat()
  const { state, decidedBy = '', decidedAt = 0, reason, lapsesAt, lapsesByTime, messageId, seriesId } = approval
  const moment = format.moment(decidedAt)
  const words = {
    waiting: () => '',
    approved: () => texts.wasApproved(decidedBy, moment),
    declined: () => texts.wasDeclined(decidedBy, moment),
    withdrawn: () => texts.wasWithdrawn(decidedBy, moment),
    lapsed: () => (lapsesByTime ? texts.wasLateForTime : texts.wasLapsed)(format.moment(lapsesAt)),
  }
  return (
    <>
      <Text size="sm">{words[state]()}</Text>
      {reason !== undefined && (
        <Text size="sm" component="div">
          <Quote>{reason}</Quote>
        </Text>
      )}
      {messageId !== undefined && (
        <AppLink to={seriesId === undefined ? `/messages/${messageId}` : `/series/${seriesId}`} size="sm">
          {texts.toMessage}
        </AppLink>
      )}
    </>
  )
}
