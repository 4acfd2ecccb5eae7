import type { Message } from '@peyk/contract'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { saySpan } from './say-results.ts'

/** What a message is a test of, by name. */
export function useTestFacts({
  variants,
  control,
  goal,
  winner,
}: Pick<Message, 'variants' | 'control' | 'goal' | 'winner'>): [string, string][] {
  const { facts: texts } = useTexts().variants
  const format = useFormat()
  const percent = (share: number) => format.percent(share / 100)
  const facts: [string, string][] = []
  if (variants)
    facts.push([texts.split, format.list(variants.map(({ name, share = 0 }) => `${name} ${percent(share)}`))])
  if (control) facts.push([texts.control, percent(control)])
  if (goal) facts.push([texts.goal, texts.goalWords(goal.event, saySpan(goal.within, format))])
  if (winner) {
    facts.push([texts.winner, texts.winnerWords(percent(winner.testShare), saySpan(winner.after, format))])
  }
  return facts
}
