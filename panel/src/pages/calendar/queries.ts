import type { Calendar, LocalTime, listCategories, panelCalendar, panelMoveScheduled } from '@peyk/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { appPath, call } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppQuery } from '../../api/use-app-query.ts'
import { useSayWhen } from '../../parts/hooks/use-say-when.ts'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { useUndo } from '../../parts/hooks/use-undo.tsx'
import { textIn } from '../../parts/text-in.ts'
import { useLanguage, useTexts } from '../../texts/LanguageProvider.tsx'
import type { PlannedItem } from './days/day-content.ts'
import { type Day, momentOf } from './days/days.ts'
import { nameOf } from './item-words.ts'

const everyMs = 20_000

/** From a day until before another, on the member's clock. */
export function useCalendar(from: Day, to: Day) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const query = { from: momentOf(from), to: momentOf(to), zone }
  return useAppQuery<typeof panelCalendar>('/calendar', query, { refetchInterval: everyMs })
}

export interface ShownCategory {
  name: string
  color: string
}

const colors = ['blue', 'grape', 'orange', 'lime', 'pink', 'indigo', 'yellow', 'cyan']

/** The categories by their id, each with a colour: by their order, so that it stays. */
export function useCategories(): Map<string, ShownCategory> {
  const { language } = useLanguage()
  const { data } = useAppQuery<typeof listCategories>('/categories')
  return useMemo(
    () =>
      new Map(
        (data?.data ?? []).map(({ id, name }, index) => [
          id,
          { name: textIn(name, language), color: colors[index % colors.length] as string },
        ]),
      ),
    [data, language],
  )
}

type When = number | LocalTime

/** Moves a message at once, says so with a way back, and puts it back where the service refuses. */
export function useMove() {
  const { appId } = useApp()
  const client = useQueryClient()
  const { calendar: texts } = useTexts()
  const sayWhen = useSayWhen()
  const toast = useToast()
  const sayWithUndo = useUndo()
  const [isMoving, setIsMoving] = useState(false)
  const queryKey = appKey(appId, '/calendar')

  const put = async (item: PlannedItem, sendAt: When): Promise<'done' | 'asked' | 'failed'> => {
    setIsMoving(true)
    await client.cancelQueries({ queryKey })
    client.setQueriesData<Calendar>({ queryKey }, (old) => old && withMoved(old, item.id, sendAt))
    try {
      const path = appPath(appId, `/messages/${item.id}/time`)
      const { approval } = await call<typeof panelMoveScheduled>('PUT', path, { body: { sendAt } })
      return approval ? 'asked' : 'done'
    } catch (error) {
      toast.failed(error)
      return 'failed'
    } finally {
      setIsMoving(false)
      for (const path of ['/calendar', '/messages', '/scheduled', '/series', '/approvals']) {
        void client.invalidateQueries({ queryKey: appKey(appId, path) })
      }
    }
  }

  const move = async (item: PlannedItem, sendAt: When): Promise<void> => {
    const title = nameOf(item) ?? texts.noText
    const became = await put(item, sendAt)
    if (became === 'asked') toast.refused(texts.moveAsked(title))
    if (became !== 'done') return
    const undo = () =>
      void put(item, item.localTime ?? item.at).then((back) => back === 'done' && toast.done(texts.movedBack(title)))
    sayWithUndo(texts.moved(title, sayWhen(sendAt)), undo, item.id)
  }
  return { move, isMoving }
}

function withMoved(calendar: Calendar, id: string, sendAt: When): Calendar {
  const when = typeof sendAt === 'number' ? { at: sendAt } : { at: Date.parse(sendAt.local), localTime: sendAt }
  const planned = calendar.planned.map((entry) =>
    entry.id === id ? { ...entry, ...(when as Pick<typeof entry, 'at' | 'localTime'>) } : entry,
  )
  return { ...calendar, planned: planned.toSorted((a, b) => a.at - b.at) }
}
