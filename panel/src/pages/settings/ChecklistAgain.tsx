import { Button } from '@mantine/core'
import type { panelChangeChecklist, panelChecklist } from '@peyk/contract'
import { useAppMutation, useAppQuery } from '../../api/use-app-query.ts'
import { useGo } from '../../parts/AppLink.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { Panel } from '../../parts/Panel.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { isFinished } from '../overview/checklist/use-checklist.ts'

/** Brings the first steps back, where they were put away too early. */
export function ChecklistAgain() {
  const { again: t } = useTexts().checklist
  const go = useGo()
  const toast = useToast()
  const { data } = useAppQuery<typeof panelChecklist>('/checklist')
  const show = useAppMutation<typeof panelChangeChecklist>('PUT', '/checklist', { refreshes: ['/checklist'] })
  if (!data?.isDismissed || isFinished(data)) return null
  return (
    <Panel
      title={t.title}
      lead={t.lead}
      actions={
        <Button
          variant="default"
          loading={show.isPending}
          onClick={() => void show.mutateAsync({ isDismissed: false }).then(() => go('/overview'), toast.failed)}
        >
          {t.show}
        </Button>
      }
    />
  )
}
