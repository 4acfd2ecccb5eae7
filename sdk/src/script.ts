import { Peyk, PeykError } from './peyk.ts'

/** For pages without a bundler: `<script src="…/sdk/peyk.js">` and then `new Peyk(…)`. */
Object.assign(globalThis, { Peyk, PeykError })
