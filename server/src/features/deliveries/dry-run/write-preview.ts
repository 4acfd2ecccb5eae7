import type { DryRun } from '@peyk/contract'
import { findFaults } from './preview-faults.ts'
import type { ReadPreview } from './preview-messages.ts'
import { writeSamples } from './preview-samples.ts'

/** The answer of a dry run. It may take long, because of the samples. `unused`: values that no text asks for. */
export async function writePreview(
  appId: number,
  { known, samples, ...found }: ReadPreview,
  unused: readonly string[],
): Promise<DryRun> {
  const all = { ...known, samples: await writeSamples(appId, samples) }
  return { dryRun: true, ...all, ...findFaults(all, { ...found, unused }) }
}
