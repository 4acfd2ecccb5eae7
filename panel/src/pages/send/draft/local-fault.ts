import type { RepeatFault } from './compose-repeat.ts'

export type TestFault =
  | 'noVariantName'
  | 'wrongVariantName'
  | 'takenVariantName'
  | 'noTestShare'
  | 'noSpan'
  | 'noEvent'
  | 'winnerLocal'
  | 'winnerLive'

/** What is wrong, by the field of the request that it belongs to. Texts are in texts/send-*.ts. */
export type LocalFault =
  | 'noUsers'
  | 'tooManyUsers'
  | 'wrongUsers'
  | 'noSegment'
  | 'noRules'
  | 'incompleteRules'
  | 'noChannel'
  | 'noText'
  | 'notJson'
  | 'notObject'
  | 'notNumber'
  | 'notWhole'
  | 'noSmsText'
  | 'wrongVibration'
  | 'noActionTitle'
  | 'pastTime'
  | 'noValue'
  | RepeatFault
  | TestFault
export type LocalFaults = Partial<Record<string, LocalFault>>
