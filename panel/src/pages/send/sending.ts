import type { SamplePerson, WantedValue } from '@peyk/contract'
import { createContext, useContext } from 'react'
import type { Draft } from './draft/draft.ts'
import type { RenderedText } from './preview/rendered-text.ts'

/** What the parts of the Send page share. */
export interface Sending {
  draft: Draft
  change(changes: Partial<Draft>): void
  changeNotification(changes: Partial<Draft['notification']>): void
  /** Whose texts are being written and shown; undefined for the default ones. */
  language: string | undefined
  showLanguage(language: string | undefined): void
  removeLanguage(language: string): void
  /** Which variant is being written and shown; 0 without a test. */
  variant: number
  showVariant(variant: number): void
  /** What is wrong with a field of the request, in words. */
  faultOf(field: string): string | undefined
  /** A text with templates as the sample user reads it; undefined for plain text, and while it is not known. */
  renderedOf(field: string, typed: string | undefined): RenderedText | undefined
  /** The values that the texts ask for. */
  wanted: readonly WantedValue[]
  /** Somebody to try texts on; undefined while not known. */
  sample: SamplePerson | undefined
}

export const SendingContext = createContext<Sending | undefined>(undefined)

export function useSending(): Sending {
  const sending = useContext(SendingContext)
  if (sending === undefined) throw new Error('useSending is for parts of the Send page')
  return sending
}
