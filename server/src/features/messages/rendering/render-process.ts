import { Worker } from 'node:worker_threads'
import { type ParsedTemplate, parseTemplate, type Rendered, renderTemplate } from './template-engine.ts'

/** Runs in a process of its own, which is killed when it takes too long. */

export interface RenderTask {
  text: string
  scopes: readonly object[]
}

const maxKept = 100
const kept = new Map<string, ParsedTemplate>()
const answer = (message: Rendered | 'ready') => process.send?.(message)

process.on('disconnect', () => process.exit())
process.on('message', ({ text, scopes }: RenderTask) => {
  const template = parseOnce(text)
  for (const scope of scopes) answer(renderTemplate(template, scope))
})
endWithParent()
answer('ready')

function parseOnce(text: string): ParsedTemplate {
  const known = kept.get(text)
  if (known) return known
  if (kept.size >= maxKept) kept.clear()
  const template = parseTemplate(text)
  kept.set(text, template)
  return template
}

/** Also while a template hangs, when this thread hears nothing any more. */
function endWithParent(): void {
  const watch = `setInterval(() => process.ppid === ${process.ppid} || process.kill(process.pid, 'SIGKILL'), 1_000)`
  new Worker(watch, { eval: true, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref()
}
