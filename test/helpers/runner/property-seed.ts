import fc from 'fast-check'
import { effort } from './effort.ts'

/** The same cases every time in `npm test`, so that what fails is the change; `npm run test:faults` looks for new ones. */
if (!effort.isLong) fc.configureGlobal({ seed: 20_261_115 })
