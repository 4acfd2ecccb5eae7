import { useDirection } from '@mantine/core'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { Texts } from './en.ts'
import { createFormat, type Format } from './format.ts'
import { type Language, languages } from './languages.ts'
import { loadTexts, onSavedTexts } from './load-texts.ts'

interface Spoken {
  language: Language
  texts: Texts
  format: Format
  speak(language: Language): void
}

const SpokenContext = createContext<Spoken | undefined>(undefined)
const storageKey = 'peyk-language'

function preferred(): Language {
  const kept = localStorage.getItem(storageKey)
  if (kept === 'en' || kept === 'fa') return kept
  return navigator.language.startsWith('fa') ? 'fa' : 'en'
}

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [wanted, setWanted] = useState(preferred)
  const [spoken, setSpoken] = useState<{ language: Language; texts: Texts }>()
  const { setDirection } = useDirection()
  useEffect(() => {
    let isCurrent = true
    void loadTexts(wanted).then((texts) => {
      if (!isCurrent) return
      document.documentElement.lang = wanted
      setDirection(languages[wanted].dir)
      setSpoken({ language: wanted, texts })
    })
    return () => {
      isCurrent = false
    }
  }, [wanted, setDirection])
  // Another object, so that all that shows texts is drawn again.
  useEffect(() => onSavedTexts(() => setSpoken((now) => now && { ...now })), [])
  const value = useMemo(
    () =>
      spoken && {
        ...spoken,
        format: createFormat(spoken.language),
        speak: (language: Language) => {
          localStorage.setItem(storageKey, language)
          setWanted(language)
        },
      },
    [spoken],
  )
  return value && <SpokenContext value={value}>{children}</SpokenContext>
}

function useSpoken(): Spoken {
  const spoken = useContext(SpokenContext)
  if (spoken === undefined) throw new Error('there is no LanguageProvider')
  return spoken
}

/** The texts of the panel in the member's language: for the frame and the first page only those in texts/…/first.ts. */
export function useTexts(): Texts {
  return useSpoken().texts
}

/** Numbers, amounts and times as the member's language writes them. */
export function useFormat(): Format {
  return useSpoken().format
}

export function useLanguage(): Pick<Spoken, 'language' | 'speak'> {
  return useSpoken()
}
