import { useEffect, useState } from 'react'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { copyText, selectNear } from './copy-text.ts'

type Result = 'copied' | 'selected' | 'refused'

const saidMs = { copied: 1_500, selected: 6_000, refused: 6_000 }

/** Copies a text, and says for a while what came of it: at worst the text is selected, to be copied by the keyboard. */
export function useCopy() {
  const { common } = useTexts()
  const [result, setResult] = useState<Result>()
  useEffect(() => {
    if (result === undefined) return
    const timer = setTimeout(() => setResult(undefined), saidMs[result])
    return () => clearTimeout(timer)
  }, [result])
  const labels = { copied: common.copied, selected: common.copySelected, refused: common.copyRefused }
  const copy = async (text: string, button: Element) => {
    const isCopied = await copyText(text)
    setResult(isCopied ? 'copied' : selectNear(button, text) ? 'selected' : 'refused')
    return isCopied
  }
  return {
    copy,
    isCopied: result === 'copied',
    isSaid: result !== undefined,
    label: result ? labels[result] : common.copy,
  }
}
