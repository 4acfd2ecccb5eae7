import { firstEn } from './en/first.ts'
import type { Texts } from './en.ts'
import type { Language } from './languages.ts'

const first: Record<Language, () => Promise<typeof firstEn>> = {
  en: async () => firstEn,
  fa: async () => (await import('./fa/first.ts')).firstFa,
}
const ofPages: Record<Language, () => Promise<Omit<Texts, keyof typeof firstEn>>> = {
  en: async () => (await import('./en/pages.ts')).pagesEn,
  fa: async () => (await import('./fa/pages.ts')).pagesFa,
}
const spoken = new Map<Language, Texts>()
const savedTexts = new Set<() => void>()
let arePagesWanted = false

/** The texts of the frame and of the first page. Those of the pages join them as soon as one is opened. */
export async function loadTexts(language: Language): Promise<Texts> {
  const texts = { ...(await first[language]()) } as Texts
  spoken.set(language, texts)
  if (arePagesWanted) await addPageTexts(language)
  return texts
}

/** Wanted before any page is shown but the first: in the language of now, and in the one that is just being loaded. */
export async function loadPageTexts(): Promise<void> {
  arePagesWanted = true
  await Promise.all([...spoken.keys()].map(addPageTexts))
}

/** In development: calls back when texts that are shown have been saved. Returns how to end it. */
export function onSavedTexts(tell: () => void): () => void {
  savedTexts.add(tell)
  return () => savedTexts.delete(tell)
}

import.meta.hot?.accept(['./en/first.ts', './en/pages.ts'], (modules) => takeSaved('en', modules))
import.meta.hot?.accept(['./fa/first.ts', './fa/pages.ts'], (modules) => takeSaved('fa', modules))

/** Each module exports one object with its texts. */
function takeSaved(language: Language, modules: readonly (object | undefined)[]): void {
  const texts = spoken.get(language)
  if (texts === undefined) return
  for (const module of modules) for (const part of Object.values(module ?? {})) Object.assign(texts, part)
  for (const tell of savedTexts) tell()
}

async function addPageTexts(language: Language): Promise<void> {
  Object.assign(spoken.get(language) as Texts, await ofPages[language]())
}
