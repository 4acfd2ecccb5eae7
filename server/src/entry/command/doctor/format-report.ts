import { countOf } from '../backup/progress-lines.ts'
import { areas, type FindingOfArea, type State } from './finding.ts'

const words: Record<State, string> = { ok: 'ok', warning: 'WARNING', fault: 'FAULT', unseen: 'not seen' }
const width = Math.max(...Object.values(words).map((word) => word.length))
const areaWidth = Math.max(...areas.map((area) => area.length))
/** So many good things of one area are told one by one; a service may have thousands of apps. */
const goodOnes = 5

export function summarise(findings: readonly FindingOfArea[]): Record<State, number> {
  const counts: Record<State, number> = { ok: 0, warning: 0, fault: 0, unseen: 0 }
  for (const { state } of findings) counts[state]++
  return counts
}

/** By area, and what to do under what is wrong. */
export function formatReport(findings: readonly FindingOfArea[]): string {
  const lines = areas.flatMap((area) => formatArea(findings.filter((finding) => finding.area === area)))
  const { warning, fault, unseen } = summarise(findings)
  const verdict = [
    countOf(fault, 'fault'),
    countOf(warning, 'warning'),
    ...(unseen > 0 ? [`${unseen} not looked at`] : []),
  ].join(', ')
  return [...lines, '', fault + warning + unseen === 0 ? 'Nothing is wrong.' : `${verdict}.`].join('\n')
}

function formatArea(findings: readonly FindingOfArea[]): string[] {
  const good = findings.filter(({ state }) => state === 'ok')
  const shown = good.length > goodOnes ? findings.filter(({ state }) => state !== 'ok') : findings
  const lines = shown.flatMap(({ area, state, text, advice }) => [
    lineOf(words[state], area, text),
    ...(advice ? [lineOf('', '', `→ ${advice}`)] : []),
  ])
  const [first] = good
  return first && shown !== findings ? [lineOf(words.ok, first.area, `${good.length} in order`), ...lines] : lines
}

function lineOf(state: string, area: string, text: string): string {
  return `${state.padEnd(width)}  ${area.padEnd(areaWidth)}  ${text}`
}
