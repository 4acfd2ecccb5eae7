import type { MessageLine } from '@peyk/contract'
import { Mono } from '../../parts/Mono.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'

type Words = Pick<MessageLine, 'audience' | 'user' | 'userCount' | 'channel' | 'segmentName' | 'isToAll'>

/** Whom a message of a list went to. */
export function AudienceWords({ message }: { message: Words }) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  const { audience, user, userCount = 0, channel, segmentName, isToAll } = message
  if (user !== undefined) return <Mono>{user}</Mono>
  if (audience === 'users') return texts.toUsers(userCount, format.number(userCount))
  if (channel !== 'default') return texts.toChannel(channel.replace(/^public\//, ''))
  if (isToAll) return texts.toEverybody
  return segmentName === undefined ? texts.toGroup : <bdi>{segmentName}</bdi>
}
