import { useDebouncedValue } from '@mantine/hooks'
import type { panelCampaigns, panelMessages, panelSegments, panelUsers } from '@peyk/contract'
import { type Icon, IconFilter, IconMessage, IconSpeakerphone, IconUser } from '@tabler/icons-react'
import { useAppQuery } from '../../api/use-app-query.ts'
import { nameVariables } from '../../parts/template-text/split-template.ts'

export interface Find {
  key: string
  label: string
  /** What tells it from others of the same name. */
  detail?: string
  icon: Icon
  path: string
  search?: Record<string, string>
}

const typingMs = 200
const mostOfAKind = 4

/** Users, messages, campaigns and segments that a word finds: each is one step away. */
export function useFinds(words: string): Find[] {
  const [search] = useDebouncedValue(words, typingMs)
  const isAsked = search !== '' && search.length <= 64
  const ask = { enabled: isAsked, keepLast: false, staleTime: 10_000 }
  const users = useAppQuery<typeof panelUsers>('/users', { search }, ask)
  const messages = useAppQuery<typeof panelMessages>('/messages', { search, limit: mostOfAKind }, ask)
  const campaigns = useAppQuery<typeof panelCampaigns>('/campaigns', { search, limit: mostOfAKind }, ask)
  const segments = useAppQuery<typeof panelSegments>('/segments', undefined, { ...ask, keepLast: true })
  if (!isAsked || search !== words) return []
  return [
    ...first(users.data?.data).map(({ userId }) => ({
      key: `user ${userId}`,
      label: userId,
      icon: IconUser,
      path: `/users/${encodeURIComponent(userId)}`,
    })),
    ...first(campaigns.data?.data).map(({ trackId, name }) => ({
      key: `campaign ${trackId}`,
      label: name,
      ...(name !== trackId && { detail: trackId }),
      icon: IconSpeakerphone,
      path: `/campaigns/${encodeURIComponent(trackId)}`,
    })),
    ...first(segments.data?.data.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))).map(
      ({ id, name }) => ({ key: `segment ${id}`, label: name, icon: IconFilter, path: `/segments/${id}` }),
    ),
    ...first(messages.data?.data).map(({ id, title, text }) => ({
      key: `message ${id}`,
      label: nameVariables(title || text || id),
      ...(title && text && { detail: nameVariables(text) }),
      icon: IconMessage,
      path: `/messages/${id}`,
    })),
  ]
}

function first<Item>(found: readonly Item[] = []): readonly Item[] {
  return found.slice(0, mostOfAKind)
}
