import { useBlocker } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { useConfirm } from '../Confirm.tsx'

/** Asks before a page is left whose changes are not saved. Answers how to say that it may be left after all. */
export function useLeaveQuestion(isChanged: boolean): () => void {
  const { common } = useTexts()
  const confirm = useConfirm()
  const mayLeave = useRef(false)
  useBlocker({
    shouldBlockFn: async () => {
      if (mayLeave.current) return false
      return !(await confirm({
        title: common.leaveTitle,
        text: common.leaveText,
        confirmLabel: common.leave,
        danger: true,
      }))
    },
    disabled: !isChanged,
    enableBeforeUnload: isChanged,
  })
  return useCallback(() => {
    mayLeave.current = true
  }, [])
}
