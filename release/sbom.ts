import { randomUUID } from 'node:crypto'
import type { Binary } from './binaries.ts'
import type { ThirdParty } from './inventory.ts'

/** A bill of materials as CycloneDX 1.5: what is in this version, for programs that look for known faults. */
export function buildSbom(
  { version, at }: { version: string; at: Date },
  packages: readonly ThirdParty[],
  others: readonly Binary[],
) {
  const own = `pkg:generic/peyk@${version}`
  const components = [...packages.flatMap(packageComponents), ...others.map(binaryComponent)]
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: at.toISOString(),
      component: {
        type: 'application',
        'bom-ref': own,
        name: 'peyk',
        version,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map((component) => component['bom-ref']) }],
  }
}

function packageComponents(each: ThirdParty) {
  return each.platforms.length === 0
    ? [packageComponent(each)]
    : each.platforms.map((platform) => packageComponent({ ...each, ...platform }))
}

function packageComponent({ name, version, license, homepage, integrity }: ThirdParty) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const [, hash] = /^sha512-(\S+)/.exec(integrity ?? '') ?? []
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...licensesOf(license),
    ...(hash && { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
    ...(homepage && /^https?:/.test(homepage) && { externalReferences: [{ type: 'website', url: homepage }] }),
  }
}

function binaryComponent({ name, license, homepage }: Binary) {
  return {
    type: 'library',
    'bom-ref': `binary:${name}`,
    name,
    ...licensesOf(license),
    externalReferences: [{ type: 'website', url: homepage }],
  }
}

/** Of several, an expression. */
function licensesOf(license: string) {
  return { licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }] }
}
