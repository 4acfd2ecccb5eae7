import { setImmediate } from 'node:timers/promises'
import type { Template } from '@peyk/contract'
import { listWanted } from '../values/list-wanted.ts'

/** Templates with the values that they ask for. Others get their turn in between: texts are parsed for it. */
export async function withValues(templates: readonly Template[]): Promise<Template[]> {
  const known: Template[] = []
  for (const template of templates) {
    const values = listWanted(template.message)
    known.push(values.length > 0 ? { ...template, values } : template)
    if (values.length > 0) await setImmediate()
  }
  return known
}

export async function withItsValues(template: Template): Promise<Template> {
  const [known] = await withValues([template])
  return known as Template
}
